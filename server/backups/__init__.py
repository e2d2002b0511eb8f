"""Backups: one file with all data, verified by restoring it, and the restore."""
