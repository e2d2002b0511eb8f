"""One number for each thing that public pages show."""

from django.db import models


class Shown(models.Model):
    """How often what everybody may see of a thing may have changed; it only ever grows.

    The thing stands under the name that its history has: "event:tuesday-17", "club:ours". A
    thing without a row has the number 0. What depends on it is drawn anew, so a row that is
    lost costs a drawing; numbers begin with the time, so they do not come again after that.
    """

    about = models.CharField(max_length=100, primary_key=True)
    no = models.BigIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="shown_number_is_positive", condition=models.Q(no__gt=0)
            )
        ]

    def __str__(self) -> str:
        return f"{self.about} {self.no}"
