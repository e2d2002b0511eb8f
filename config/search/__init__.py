"""A search for people, events, boards, laws, movements and pages."""
