"""Small files in the database, where several machines serve the same pages."""

from django.db import models


class Blob(models.Model):
    """A generated file, by the name with which a row refers to it (server.private_files).

    It is written once and never changed, so it needs no lock.
    """

    name = models.CharField(max_length=200, unique=True)
    content = models.BinaryField()
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name
