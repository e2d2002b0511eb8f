"""The parsing, cleaning and comparison of people's names as text.

All inputs use this package: forms, pasted text, files, phones and the API. The package makes
no database queries.
"""
