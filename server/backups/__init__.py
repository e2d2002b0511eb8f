"""Creates backups, verifies each with a test restore, and restores them.

A backup is one file with all data.
"""
