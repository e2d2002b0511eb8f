"""An evening's results for other programs: tables, and the files that bridge sites read."""
