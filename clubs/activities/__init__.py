"""The code that events, drives and rubber nights share: models, services, history and pages."""
