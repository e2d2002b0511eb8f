"""Which versions of the program have brought this database up to date."""

from django.db import models


class Installed(models.Model):
    """One upgrade: the version that made it, the shape it left, when, and which account."""

    version = models.CharField(max_length=20)
    shape = models.CharField(max_length=64)
    at = models.DateTimeField()
    by = models.CharField(max_length=100)

    def __str__(self) -> str:
        return f"{self.version} {self.at:%Y-%m-%d}"
