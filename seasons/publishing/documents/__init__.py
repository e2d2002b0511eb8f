"""The public data of an evening or a season as one document: `whist-published/1`.

Static sites are generated from these documents. They are uploaded to a club's server, which
shows them.
"""
