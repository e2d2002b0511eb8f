"""Small files in the database, where several machines hand out the same pages."""

from django.db import models


class Blob(models.Model):
    """A file that was made, under the name by which a row speaks of it (server.private_files).

    It is written once and never altered, so it needs no lock.
    """

    name = models.CharField(max_length=200, unique=True)
    content = models.BinaryField()
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name
