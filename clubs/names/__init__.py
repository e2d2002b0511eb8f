"""People's names as text: cleaned, compared, and read from what people type, paste or send.

Every entrance for names calls this package: forms, pasted lines, files, phones and the API. It
knows no database.
"""
