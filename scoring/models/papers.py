"""The papers of a session."""

from django.db import models

from printing.models import OrderedPaper
from tournaments.models import Session


class Paper(OrderedPaper):
    """A paper of a session; `kind` is the name of one of `scoring.papers.PAPER_KINDS`."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="papers")

    class Meta(OrderedPaper.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.kind}, {self.session}"
