"""The program's version; docs/releasing.md describes when it changes."""

VERSION = "2.0"
