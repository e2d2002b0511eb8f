"""The parsing, cleaning and comparison of people's names as text.

All inputs use this package: forms, pasted text, files, phones and the API. It makes no
database queries.
"""
