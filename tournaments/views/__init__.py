"""The pages of clubs, events and seatings."""
