"""The shared parts of all kinds of evening: rows, lifecycle, history, visits, links, pages."""
