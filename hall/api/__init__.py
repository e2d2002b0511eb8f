"""The REST API of an event in play: the clock, the tables' links, history and undo."""
