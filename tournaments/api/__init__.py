"""The REST API of clubs, events, entries and seatings; `frame` is what every address shares."""
