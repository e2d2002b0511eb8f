"""The file of a season, `whist-season/1`: evenings from elsewhere, and ladders over them."""
