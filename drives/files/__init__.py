"""The files of drives: what `manage.py drive` reads and writes, each fault with its place."""
