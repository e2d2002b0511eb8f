"""Export and import of a whole club, with rows and papers, as one file."""
