"""The formats of dates and times, one module for each language; Django loads them by name.

The names are ours, and `server.dates` reads them. A language without a module uses the English
formats. The letters are those of Django's `date` filter.
"""
