"""The REST API of an evening in progress: the clock, the tables' links, history and undo."""
