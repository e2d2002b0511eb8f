"""A club in one file: its rows and its papers, to be carried from one installation to another."""
