"""Small files stored in the database, for installations with several page machines."""

from django.db import models


class Blob(models.Model):
    """A generated file, stored under a unique name (see `server.private_files`).

    It is written once and never changed, so it needs no lock.
    """

    name = models.CharField(max_length=200, unique=True)
    content = models.BinaryField()
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name
