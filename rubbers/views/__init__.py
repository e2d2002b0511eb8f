"""The pages of rubber nights."""
