"""What pages show of movements and seats, as frozen values."""
