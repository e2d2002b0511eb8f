"""An evening's results for other programs: tables, and files for bridge sites."""
