"""The version of everything that public pages show."""

from django.db import models


class PublicVersion(models.Model):
    """The version of what the public sees of one object; it only grows.

    `about` is the object's key in the history, such as "event:tuesday-17" or "club:ours". An
    object without a row has version 0. A lost row is harmless: versions begin with the current
    time, so no number is used twice.
    """

    about = models.CharField(max_length=100, primary_key=True)
    number = models.BigIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="public_version_is_positive", condition=models.Q(number__gt=0)
            )
        ]

    def __str__(self) -> str:
        return f"{self.about} {self.number}"
