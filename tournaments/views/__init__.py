"""The director's pages of clubs, events, entries and seatings."""
