"""The app for the public pages of clubs: home, records, honours and lessons."""
