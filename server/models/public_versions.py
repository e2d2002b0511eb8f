"""Version numbers of everything that public pages show."""

from django.db import models


class PublicVersion(models.Model):
    """The version number of an object's public content, which only increases.

    `about` is the object's key in the history, e.g. "event:tuesday-17" or "club:ours". An
    object without a row has version 0. The first version is the time in milliseconds, so that
    no version is used twice even if the row is lost.
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
