"""The export of an event's results for other programs: tables, and files for bridge sites."""
