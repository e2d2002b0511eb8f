"""Small files in the database, for installations in which several machines serve pages."""

from django.db import models


class Blob(models.Model):
    """A generated file under the name that other rows store (see server.private_files).

    It is written once and never changed, and therefore needs no lock.
    """

    name = models.CharField(max_length=200, unique=True)
    content = models.BinaryField()
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name
