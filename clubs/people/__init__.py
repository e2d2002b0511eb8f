"""The import of member lists from other programs, compared with the club's existing people."""
