"""The schedule of a movement as a validated value: places, tables and boards by round."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist.errors import WhistError
from tournaments.movements.formatting import format_place_for_players, format_table, join_names
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.problems import list_problems

_get_round = attrgetter("round")


class UnplayableMovement(WhistError, ValueError):
    """The movement breaks a rule, or no system provides it; see `problems`."""

    code = "unplayable_movement"

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Movement:
    """A whole schedule; if it is invalid, UnplayableMovement is raised with all problems.

    No place sits twice in a round. No place plays a deal twice, unless `allows_replays` is True
    (memory duplicate). No board group is at more tables in a round than it has copies, unless
    `allows_sharing` is True.

    * `absent_places`: the places without an entry. Their opponents sit out.
    * `withdrawn_places`: the places whose entry has withdrawn. Earlier results count.
    * `letter`: the letter of the section that plays the movement, if there are several.
    * `edition`: the edition of the system's schedule for this size.
    * `blocks`: the first table of each block of tables that share a copy of the boards; empty
      if the tables get copies by number.
    * `one_winner`: whether two fields are ranked as one; None if this follows from the seats.

    Source: The Whist Laws of 1894, duplicate whist, definition of overplay.
    """

    name: str
    title: str
    contest: Contest
    meetings: tuple[Meeting, ...]
    labels: tuple[str, ...]
    absent_places: frozenset[int] = frozenset()
    allows_sharing: bool = False
    allows_replays: bool = False
    withdrawn_places: frozenset[int] = frozenset()
    letter: str = ""
    edition: int = 1
    copy_count: int = 1
    blocks: tuple[int, ...] = ()
    one_winner: bool | None = None
    # a cache that `list_place_meetings` fills
    _meetings_by_place: dict[int, list[Meeting]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "meetings", tuple(sorted(self.meetings)))
        problems = list_problems(
            self.meetings,
            contest=self.contest,
            labels=self.labels,
            absent_places=self.absent_places,
            allows_sharing=self.allows_sharing,
            allows_replays=self.allows_replays,
            copy_count=self.copy_count,
        )
        if problems:
            raise UnplayableMovement(*problems)

    @property
    def table_count(self) -> int:
        """The number of tables."""
        return max(meeting.table for meeting in self.meetings)

    @property
    def round_count(self) -> int:
        """The number of rounds."""
        return self.meetings[-1].round

    @property
    def group_count(self) -> int:
        """The number of board groups."""
        return max(meeting.board_group for meeting in self.meetings)

    @property
    def place_count(self) -> int:
        """The number of places, including absent ones."""
        return len(self.labels)

    @property
    def occupied_places(self) -> list[int]:
        """The places that are not absent."""
        return [
            place for place in range(1, self.place_count + 1) if place not in self.absent_places
        ]

    @property
    def played_meetings(self) -> list[Meeting]:
        """The meetings without an absent place."""
        if not self.absent_places:
            return list(self.meetings)
        return _drop_idle_meetings(self.meetings, self.absent_places)

    @property
    def missing_places_text(self) -> str:
        """The missing pairs, e.g. "half table: no pair 8 N-S"; "" if none is missing."""
        return self._describe_vacancy(self.absent_places)

    @property
    def has_two_fields(self) -> bool:
        """Whether there are two fields, N-S and E-W, as in a Mitchell."""
        return all(label.endswith(("NS", "EW")) for label in self.labels)

    @property
    def winner_count(self) -> int:
        """The number of winners: two if two fields never change sides, else one."""
        if self.contest is not Contest.PAIRS or not self.has_two_fields:
            return 1
        if self.one_winner is not None:
            return 1 if self.one_winner else 2
        played_meetings = self.played_meetings
        sides = (
            ("NS", {meeting.north for meeting in played_meetings}),
            ("EW", {meeting.east for meeting in played_meetings}),
        )
        has_fixed_sides = all(
            self.get_field_name(place) == side_name
            for side_name, places in sides
            for place in places
        )
        return 2 if has_fixed_sides else 1

    def _describe_vacancy(self, absent_places: Collection[int]) -> str:
        if not absent_places or self.contest is not Contest.PAIRS:
            return ""
        message = ngettext(
            "half table: no pair %(places)s",
            "half tables: no pairs %(places)s",
            len(absent_places),
        )
        return message % {
            "places": join_names([self.format_place(place) for place in sorted(absent_places)])
        }

    def format_title_with_absences(self, absent_places: Collection[int]) -> str:
        """Return the title with a note on these empty places, e.g. "…, team 6 missing"."""
        placeholders = {
            "movement": self.title,
            "places": _format_missing_places(self, sorted(absent_places)),
        }
        if _has_single_missing_pair(self, absent_places):
            return _("%(movement)s, one pair sits out each round") % placeholders
        if self.has_two_fields and self.contest is Contest.PAIRS:
            placeholders["places"] = self._describe_vacancy(absent_places)
            return _("%(movement)s, %(places)s") % placeholders
        return _("%(movement)s, %(places)s missing") % placeholders

    def get_field_name(self, place: int) -> str:
        """Return the field of a place: "NS", "EW", or "" if there is one field."""
        suffix = self.labels[place - 1][-2:]
        return suffix if suffix in ("NS", "EW") else ""

    def get_ranked_field_name(self, place: int) -> str:
        """Return the field in which a place is ranked; "" if there is one ranking."""
        return (
            ""
            if self.contest is Contest.PAIRS and self.winner_count == 1
            else self.get_field_name(place)
        )

    def format_place(self, place: int) -> str:
        """Format a place for players: "3 N-S", "5", or "A5" in one of several sections."""
        return format_place_for_players(f"{self.letter}{self.labels[place - 1]}")

    def format_table(self, table_number: int) -> str:
        """Format a table for players: "13", or "A13" in one of several sections."""
        return format_table(table_number, self.letter)

    def get_team_number(self, place: int) -> int:
        """Return the team number of a place: the leading digits of its label."""
        label = self.labels[place - 1]
        return int(label[: len(label) - len(label.lstrip("0123456789"))] or place)

    def find_place(self, place_label: str) -> int:
        """Return the number of the place with a label."""
        if place_label not in self.labels:
            raise UnplayableMovement(self.format_unknown_place_error(place_label))
        return self.labels.index(place_label) + 1

    def format_unknown_place_error(self, place_or_label: int | str) -> str:
        """Return the error message for a place that does not exist, with the valid places."""
        message = _("%(movement)s has no place %(place)s. Its places are %(first)s–%(last)s.")
        return message % {
            "movement": self.title,
            "place": place_or_label,
            "first": self.labels[0],
            "last": self.labels[-1],
        }

    def list_round_meetings(self, round_number: int) -> list[Meeting]:
        """Return the meetings of one round, in order of table."""
        first_index = bisect_left(self.meetings, round_number, key=_get_round)
        return list(
            self.meetings[
                first_index : bisect_right(self.meetings, round_number, key=_get_round)
            ]
        )

    def list_table_meetings(self, table_number: int) -> list[Meeting]:
        """Return the meetings at one table, in order of round."""
        return [meeting for meeting in self.meetings if meeting.table == table_number]

    def list_place_meetings(self, place: int) -> list[Meeting]:
        """Return the meetings of one place in order of round, including idle ones."""
        if not self._meetings_by_place:
            for meeting in self.meetings:
                for other_place in meeting.places:
                    self._meetings_by_place.setdefault(other_place, []).append(meeting)
        return list(self._meetings_by_place.get(place, ()))


def shorten_movement(movement: Movement, round_count: int) -> Movement:
    """Return the movement shortened to `round_count` rounds."""
    if not 1 <= round_count <= movement.round_count:
        raise UnplayableMovement(
            ngettext(
                "%(movement)s has %(rounds)s round, not %(wanted)s.",
                "%(movement)s has %(rounds)s rounds, not %(wanted)s. Choose "
                "from 1 to %(rounds)s.",
                movement.round_count,
            )
            % {
                "movement": movement.title,
                "rounds": movement.round_count,
                "wanted": round_count,
            }
        )
    if round_count == movement.round_count:
        return movement
    kept_meetings = tuple(
        meeting for meeting in movement.meetings if meeting.round <= round_count
    )
    title = ngettext(
        "%(movement)s, %(rounds)s round", "%(movement)s, %(rounds)s rounds", round_count
    )
    return replace(
        movement,
        meetings=kept_meetings,
        title=title % {"movement": movement.title, "rounds": round_count},
    )


def leave_places_empty(movement: Movement, places_or_labels: Iterable[int | str]) -> Movement:
    """Return a movement with these places empty; a place is a number or a label."""
    absent_places = movement.absent_places | {
        _get_place_number(movement, place) for place in places_or_labels
    }
    if absent_places == movement.absent_places:
        return movement
    played_meetings = _drop_idle_meetings(movement.meetings, absent_places)
    return replace(
        movement,
        absent_places=absent_places,
        title=movement.format_title_with_absences(absent_places),
        allows_sharing=movement.allows_sharing
        and _has_shared_boards(played_meetings, movement.copy_count),
    )


def _drop_idle_meetings(
    meetings: Sequence[Meeting], absent_places: frozenset[int]
) -> list[Meeting]:
    has_no_common_place = absent_places.isdisjoint
    return [meeting for meeting in meetings if has_no_common_place(meeting[2:6])]


def _has_single_missing_pair(movement: Movement, absent_places: Collection[int]) -> bool:
    """Return whether a movement with one field lacks one pair and has no other sit-outs."""
    if (
        movement.contest is not Contest.PAIRS
        or movement.has_two_fields
        or len(absent_places) != 1
    ):
        return False
    table_counts = Counter([meeting.round for meeting in movement.meetings])
    return (
        set(table_counts.values()) == {movement.place_count // 2}
        and movement.place_count % 2 == 0
    )


def _format_missing_places(movement: Movement, absent_places: Sequence[int]) -> str:
    """Format empty places, e.g. "number 14", "7 E-W" or "team 6"."""
    if movement.contest is Contest.TEAMS:
        team_numbers = sorted({movement.get_team_number(place) for place in absent_places})
        return join_names(
            [_("team %(number)s") % {"number": team_number} for team_number in team_numbers]
        )
    labels = [movement.labels[place - 1] for place in absent_places]
    number_message = _("number %(number)s")
    return join_names(
        [
            format_place_for_players(label)
            if label.endswith(("NS", "EW"))
            else number_message % {"number": label}
            for label in labels
        ]
    )


def _has_shared_boards(played_meetings: Iterable[Meeting], copy_count: int) -> bool:
    table_counts = Counter(
        [(meeting.round, meeting.board_group) for meeting in played_meetings]
    )
    return any(count > copy_count for count in table_counts.values())


def _get_place_number(movement: Movement, place_or_label: int | str) -> int:
    if isinstance(place_or_label, str):
        return movement.find_place(place_or_label)
    if not 1 <= place_or_label <= movement.place_count:
        raise UnplayableMovement(movement.format_unknown_place_error(place_or_label))
    return place_or_label
