"""The data that the publishing pages show."""
