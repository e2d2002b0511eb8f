"""Import of member lists from other programs, with a comparison to the club's people."""
