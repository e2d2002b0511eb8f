"""The REST API of files: an event, and the boards of a session."""
