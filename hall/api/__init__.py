"""The REST API of an evening under way: the clock, the tables' links, history and undo."""
