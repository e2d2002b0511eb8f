"""The API schemas and endpoints that all kinds of activity share."""
