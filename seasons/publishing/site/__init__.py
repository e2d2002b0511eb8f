"""A club's results as static pages in a folder: no server, no scripts, only relative links."""
