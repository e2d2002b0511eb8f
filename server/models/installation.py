"""The versions of the program that upgraded this database."""

from django.db import models


class Installed(models.Model):
    """One upgrade of the database: version, schema fingerprint, time, and system account.

    `shape` is the schema fingerprint.
    """

    version = models.CharField(max_length=20)
    shape = models.CharField(max_length=64)
    at = models.DateTimeField()
    by = models.CharField(max_length=100)

    def __str__(self) -> str:
        return f"{self.version} {self.at:%Y-%m-%d}"
