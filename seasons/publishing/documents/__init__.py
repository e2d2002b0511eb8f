"""The public data of an evening or a season as one document: `whist-published/1`.

Static sites are generated from it, it is uploaded to a club's server, and that server shows it.
"""
