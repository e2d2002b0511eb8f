"""A club's results as plain pages in a folder: no server, no script, relative links alone."""
