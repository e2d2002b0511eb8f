"""The seating: which entry sits where, and with which boards.

`Section.movement` is the name of the planned movement. The `Sitting` rows record what really
happened at each table in each round.
"""

import secrets
from functools import cached_property

from django.db import models
from django.db.models import F, Q

from tournaments.models.events import Entry, Session
from tournaments.movements.drawn_rounds import count_planned_rounds
from tournaments.movements.formatting import format_table
from tournaments.movements.stray_boards import BoardNumbers

SEATS = ("north", "east", "south", "west")
"""The field names of a sitting's four places."""


def generate_stamp() -> int:
    """Return a new random number that identifies a state of a section."""
    return secrets.randbelow(2**63 - 1) + 1


class Section(models.Model):
    """The tables that play one movement together."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="sections")
    letter = models.CharField(max_length=2, default="A")
    movement = models.CharField(max_length=40)  # the movement's name in the catalogue
    tables = models.PositiveSmallIntegerField()
    rounds = models.PositiveSmallIntegerField()
    # the options of the movement other than tables and rounds
    options = models.JSONField(default=dict, blank=True)
    # a random number, replaced with every write that can change the section's scores; 0 in rows
    # from before this column was added
    stamp = models.BigIntegerField(default=generate_stamp, db_default=0, editable=False)

    class Meta:
        ordering = ["letter"]
        constraints = [
            models.UniqueConstraint(fields=["session", "letter"], name="one_section_a_letter"),
        ]

    def __str__(self) -> str:
        return f"{self.session}, section {self.letter}"

    @property
    def planned_round_count(self) -> int:
        """The number of rounds to play, including those still to be drawn."""
        return count_planned_rounds(self.options, self.rounds)

    @cached_property
    def shown(self) -> str:
        """The section's letter if its session has several sections, else ""."""
        return self.letter if has_several_sections(self.session_id) else ""


def has_several_sections(session_pk: int) -> bool:
    """Return whether a session has several sections, so that pages show their letters."""
    return Section.objects.filter(session=session_pk).count() > 1


class Place(models.Model):
    """A numbered place of a section's movement; it is absent if it has no entry."""

    section = models.ForeignKey(Section, models.CASCADE, related_name="places")
    number = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=6)  # as in event files: "3NS", "5"
    # the field in which the place is ranked: "NS" or "EW", or "" if all are ranked together
    field = models.CharField(max_length=2, blank=True)
    entry = models.ForeignKey(
        Entry, models.PROTECT, related_name="places", null=True, blank=True
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["section", "number"], name="one_place_a_number"),
            models.CheckConstraint(
                name="field_is_a_side", condition=Q(field__in=["NS", "EW", ""])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label}: {self.entry or 'nobody'}"


class Sitting(models.Model):
    """A meeting as it was really played, with the places at the four seats."""

    section = models.ForeignKey(Section, models.CASCADE, related_name="sittings")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    north = models.ForeignKey(Place, models.PROTECT, related_name="+")
    east = models.ForeignKey(Place, models.PROTECT, related_name="+")
    south = models.ForeignKey(Place, models.PROTECT, related_name="+")
    west = models.ForeignKey(Place, models.PROTECT, related_name="+")
    board_group = models.PositiveSmallIntegerField()
    # pairs (board of the group, board played instead); 0 if no board was played instead
    strays = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )

    class Meta:
        ordering = ["round", "table"]
        constraints = [
            models.UniqueConstraint(
                fields=["section", "round", "table"], name="one_sitting_a_round_and_table"
            ),
            models.CheckConstraint(
                name="sides_do_not_meet_themselves", condition=~Q(north=F("east"))
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table}"

    @property
    def history_location(self) -> dict[str, int | str]:
        """The position for the history: round, table, and the section if there are several."""
        session, section_letter = self.section.session, self.section.shown
        section_data = {"section": section_letter} if section_letter else {}
        return {
            "session": session.number,
            **section_data,
            "round": self.round,
            "table": self.table,
        }

    @property
    def is_played(self) -> bool:
        """Whether every seat has an entry."""
        seat_by_place_id = {self.south_id: "south", self.west_id: "west"}
        seat_by_place_id |= {self.north_id: "north", self.east_id: "east"}
        return all(
            getattr(self, seat).entry_id is not None for seat in seat_by_place_id.values()
        )

    @property
    def boards(self) -> BoardNumbers:
        """The boards that are really played here: the group's, some replaced by `strays`."""
        return self.section.session.list_boards_at_table(self.board_group, self.strays)

    @property
    def label(self) -> str:
        """The table as players know it: "13", or "A13" if there are several sections."""
        return format_table(self.table, self.section.shown)
