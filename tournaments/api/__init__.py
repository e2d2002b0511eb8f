"""The REST API of clubs, events, entries and seatings."""
