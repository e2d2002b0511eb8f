"""Backups: one file that holds everything, proved by restoring it, and the way back."""
