"""The data of pages about movements and seats, as frozen dataclasses."""
