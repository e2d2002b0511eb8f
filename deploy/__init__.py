"""Deployment: the files of a server, and the tools that build a release."""
