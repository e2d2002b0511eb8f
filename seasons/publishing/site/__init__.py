"""A club's results as a static site in a folder: no scripts, and only relative links."""
