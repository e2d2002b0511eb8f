"""The public data of an evening or a season as one JSON document: `whist-published/1`.

Static sites are generated from these documents. The same documents are uploaded to a club's
server, which shows them as pages.
"""
