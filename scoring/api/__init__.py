"""The REST API of sittings, results, boards and standings."""
