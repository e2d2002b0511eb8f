"""The prizes of a drive: their winners, and the reasons."""
