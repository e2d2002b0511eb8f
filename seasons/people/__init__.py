"""The people of a club: the director's lists, merging, deletion, and people's own pages."""
