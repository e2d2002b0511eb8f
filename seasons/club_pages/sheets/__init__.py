"""The values that the pages of this package show, as frozen dataclasses."""
