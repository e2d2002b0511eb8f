"""The files of drives: their formats, how they are written, and what a file proves."""
