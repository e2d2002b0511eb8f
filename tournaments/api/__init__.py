"""The REST API of clubs, events, entries and seatings; `frame` is shared by all addresses."""
