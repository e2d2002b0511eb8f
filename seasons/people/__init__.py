"""A club's people: lists, merging, forgetting, and the person's own pages."""
