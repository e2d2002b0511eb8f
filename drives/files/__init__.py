"""The file formats of drives, their readers and writers, and the verification of a file."""
