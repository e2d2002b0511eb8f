"""A club in one file: its rows and its papers, carried from one installation to another."""
