"""The file formats of rubbers, with their readers and writers."""
