"""The prizes of a drive: who gets which, and why."""
