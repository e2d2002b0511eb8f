"""Backups: one file with all data, verified by a test restore; and their restore."""
