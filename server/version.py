"""Which version of the program this is; docs/releasing.md says when the number changes."""

VERSION = "1.0"
