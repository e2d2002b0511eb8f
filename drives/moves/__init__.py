"""The forms in which results say who moves: pure moves from one hand's tables to the next's."""
