"""The prizes of a drive: who wins each prize, and for which reason."""
