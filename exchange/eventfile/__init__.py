"""The event file format whist-event/1, which stores a whole event as one JSON document."""
