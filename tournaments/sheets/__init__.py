"""The values that pages show of movements and seats, as frozen dataclasses."""
