"""Drives for programs."""
