"""A club's grades for pages and the API, in the format of a grades file."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.utils import formats

from clubs.models import Club, Player
from scoring.drawing.column_chart import ColumnChart, draw_column_chart
from seasons.grades.club_plays import evenings_of, graded_events, is_behind_quickly
from seasons.grades.comparing import PlayedBoard, plays_by_board
from seasons.grades.grades_file import grades_data
from seasons.grades.models import Grade, GradeBook, GradeConstants, GradeStep, HiddenGrade, Why
from seasons.grades.rating import Constants
from seasons.grades.rating.showing import RANGE
from seasons.grades.visibility import book_of, seen_by_member, tells_everybody
from tournaments.models import Entry, EntryPlayer, Event

DRAWN = 40
"""The maximum number of evenings in the chart, which shows the newest ones."""


def tenths(value: float | None, *, sign: bool = True) -> str:
    """Format tricks to one decimal, the precision of grades: +1.3, −0.4, 0.0."""
    if value is None:
        return "–"
    text = formats.number_format(f"{abs(value):.1f}", 1)
    is_nothing = f"{abs(value):.1f}" == "0.0"
    if not sign or is_nothing:
        return text
    return f"+{text}" if value > 0 else f"−{text}"


@dataclass(frozen=True, slots=True)
class Tricks:
    """A grade as text: tricks above the club in 24 boards, and the range."""

    grade: str
    range: str
    word: str

    @property
    def is_known(self) -> bool:
        """Whether the person has a grade."""
        return bool(self.range)


@dataclass(frozen=True, slots=True)
class Step:
    """One evening of a grade: expected and actual result, and the grade before and after."""

    row: GradeStep
    before: float | None
    event: Event
    partner: str
    expected: str
    expected_range: str
    made: str
    old: Tricks
    new: Tricks
    why: str  # "" for numbers that never changed
    because: str

    @property
    def is_corrected(self) -> bool:
        """Whether the step changed because of a correction of its evening.

        The other reasons for a recomputation concern all evenings.
        """
        return self.row.why in (Why.CORRECTED, Why.PEOPLE)


@dataclass(frozen=True, slots=True)
class Met:
    """An opponent of an evening: the shown name, the boards, and the tricks above the mean."""

    name: str
    boards: int
    above: Fraction


@dataclass(frozen=True, slots=True)
class ConstantsSaid:
    """The constants of a club's grades, their date, and the reason."""

    s0: float
    tau: float
    q: float
    since: datetime | None
    cause: str
    evenings: int
    is_usual: bool


def grade_section(player: Player) -> dict[str, object] | None:
    """Return the person's own grade, and the grades of others that the person may see."""
    book = book_of(player.club_id)
    if book is None:
        return None
    rows = book.grades.filter(player=player).select_related("partner")
    own = rows.first()
    return {
        "own": own,
        "said": said(own),
        "others": [(each, said(each)) for each in seen_by_member(player, book)],
        "made_at": book.made_at,
        "behind": is_behind_quickly(book),
        "hidden": HiddenGrade.objects.filter(player=player).exists(),
        "seen": book.seen,
    }


def said(row: Grade | GradeStep | None) -> Tricks:
    """Format a grade; "–" if it is unknown."""
    if row is None or row.shown is None:
        return Tricks("–", "", "")
    return Tricks(tenths(row.shown), tenths(row.range, sign=False), row.word)


def constants_said(book: GradeBook) -> ConstantsSaid:
    """Return the constants in use with their history; the defaults if none were fitted."""
    row = book.constants.exclude(done_at=None).last()
    return ConstantsSaid(
        s0=book.s0,
        tau=book.tau,
        q=book.q,
        since=row.done_at if row else None,
        cause=str(GradeConstants.Cause(row.cause).label) if row else "",
        evenings=row.evenings if row else 0,
        is_usual=row is None or (row.gain is None and row.cause != row.Cause.CHOSEN),
    )


def steps_of(player: Player, *, for_everybody: bool = False) -> list[Step]:
    """Return the evenings of a person's grade, the newest first; only listed events.

    `for_everybody` leaves out a pair's grade if the partner does not show it.
    """
    rows = _rows(player)
    if for_everybody:
        rows = [row if tells_everybody(row) else _untold(row) for row in rows]
    found, before = [], None
    for row in rows:
        found.append(_step(row, before))
        before = row
    return found[::-1]


def step_at(player: Player, slug: str, *, for_everybody: bool = False) -> Step | None:
    """Return one evening of a person's grade."""
    steps = steps_of(player, for_everybody=for_everybody)
    return next((each for each in steps if each.event.slug == slug), None)


def drawn(steps: Sequence[Step]) -> ColumnChart | None:
    """Return the chart of the newest evenings' grades, from left to right."""
    return draw_column_chart(
        [_column(each) for each in reversed(steps[:DRAWN]) if each.new.is_known]
    )


def met_on(player: Player, event: Event) -> list[Met]:
    """Return a person's opponents of an evening, ordered by the tricks above the means."""
    entries = set(
        Entry.objects.filter(event=event, players=player).values_list("pk", flat=True)
    )
    against: dict[tuple[int, ...], list[Fraction]] = defaultdict(list)
    for _event, plays in plays_by_board([event.pk]):
        if len(plays) < 2:
            continue
        mean = Fraction(sum(play.ns_tricks for play in plays), len(plays))
        for play in plays:
            for own, other, sign in _ways(play):
                if entries & set(own):
                    against[other].append(sign * (play.ns_tricks - mean))
    names = _names({entry for other in against for entry in other})
    found = [
        Met(" & ".join(names[entry] for entry in other), len(tricks), sum(tricks, Fraction()))
        for other, tricks in against.items()
    ]
    return sorted(found, key=lambda each: (-each.boards, each.name))


def _ways(play: PlayedBoard) -> Iterable[tuple[tuple[int, ...], tuple[int, ...], int]]:
    ns, ew = (
        tuple(dict.fromkeys(entry for entry in side if entry is not None))
        for side in ((play.north, play.south), (play.east, play.west))
    )
    return (ns, ew, 1), (ew, ns, -1)


def _names(entries: set[int]) -> dict[int, str]:
    rows = EntryPlayer.objects.filter(entry__in=entries).order_by("entry", "order")
    people: dict[int, list[str]] = defaultdict(list)
    for row in rows.select_related("player"):
        people[row.entry_id].append(row.player.shown_name)
    return {entry: " & ".join(names) for entry, names in people.items()}


def _rows(player: Player) -> list[GradeStep]:
    events = Event.objects.filter(club=player.club_id).public()
    book = book_of(player.club_id)
    rows = GradeStep.objects.filter(book=book, player=player, event__in=events)
    newest: dict[int, GradeStep] = {}
    for row in rows.select_related("event", "partner__hidden_grade", "because").order_by("pk"):
        newest[row.event_id] = row
    there = [row for row in newest.values() if row.boards]
    return sorted(there, key=lambda row: (row.event.date, row.event.slug))


def _untold(row: GradeStep) -> GradeStep:
    """Clear the grade in this step and return the step, which must not be saved."""
    row.shown = row.range = None
    row.word, row.is_pair = "", False
    return row


def _step(row: GradeStep, before: GradeStep | None) -> Step:
    is_changed = row.why != Why.PLAYED
    return Step(
        row=row,
        before=before.shown if before else None,
        event=row.event,
        partner=row.partner.shown_name if row.partner else "",
        expected=tenths(row.expected),
        expected_range=tenths(
            None if row.expected_sd is None else RANGE * row.expected_sd, sign=False
        ),
        made=tenths(row.made),
        old=said(before),
        new=said(row),
        why=str(Why(row.why).label) if is_changed else "",
        because=row.because.name if is_changed and row.because else "",
    )


def _column(step: Step) -> tuple[str, Fraction, str]:
    day = formats.date_format(step.event.date, "j M Y")
    words = f"{day}, {step.event.name}: {step.new.grade} ± {step.new.range}"
    figure = Fraction(round(10 * (step.row.shown or 0.0)), 10)
    return formats.date_format(step.event.date, "M"), figure, words


def club_grades_data(club: Club, *, each: bool = False) -> dict[str, Any]:
    """Compute a club's grades from its first evening on, with full names."""
    book = GradeBook.objects.filter(club=club).first() or GradeBook(club=club)
    constants = Constants(book.s0, book.tau, book.q)
    said = constants_said(book) if book.pk else None
    data = grades_data(constants, list(evenings_of(graded_events(club))), each=each)
    names = {str(pk): name for pk, name in club.players.values_list("pk", "name")}
    for evening in data["evenings"]:
        named = {names.get(pk, pk): row for pk, row in evening["players"].items()}
        evening["players"] = dict(sorted(named.items()))
    return {
        "constants": {
            "s0": book.s0,
            "tau": book.tau,
            "q": book.q,
            "since": said.since.isoformat() if said and said.since else None,
            "why": said.cause if said else "",
        },
        **data,
    }
