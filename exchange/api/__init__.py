"""The REST API of files: event files, and board files of sessions."""
