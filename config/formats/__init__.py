"""The formats of dates and times, one module for each language; Django loads them by name.

`server.dates` reads the constants, whose names are not those of Django. A language without a
module uses the English formats. The formats use the letters of Django's `date` filter.
"""
