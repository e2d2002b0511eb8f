"""The files of rubbers: their formats, and how they are written."""
