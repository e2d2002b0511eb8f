"""The export and import of a whole club, with its rows and paper files, as one file."""
