"""What everybody may see of an evening or a season, as one document: `whist-published/1`.

It is what a static site is made of, what goes to a club's server, and what that server shows.
"""
