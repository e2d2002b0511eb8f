"""Create, verify and restore backups. A backup is one file with all data."""
