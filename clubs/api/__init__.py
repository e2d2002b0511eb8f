"""Schemas and endpoints of the API that all kinds of evening share."""
