"""The club's public pages: home, records, honours and lessons."""
