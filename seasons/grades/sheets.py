"""The content of a club's grades for pages, the API and grades files."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.utils import formats

from clubs.models import Club, Player
from scoring.drawing.column_chart import ColumnChart, draw_column_chart
from seasons.grades.club_plays import (
    are_grades_outdated_quick,
    iter_graded_evenings,
    list_graded_events,
)
from seasons.grades.compared_boards import PlayedBoard, iter_plays_by_board
from seasons.grades.grades_file import build_grades_data
from seasons.grades.models import (
    Grade,
    GradeBook,
    GradeConstants,
    GradeStep,
    HiddenGrade,
    RecomputationReason,
)
from seasons.grades.rating import Constants
from seasons.grades.rating.shown_grades import RANGE_STANDARD_DEVIATIONS
from seasons.grades.visibility import get_grade_book, is_step_public, query_grades_for_member
from tournaments.models import Entry, EntryPlayer, Event

MAX_CHART_EVENINGS = 40
"""The maximum number of evenings in the chart of a person's grade; the newest are shown."""


def format_tenths(value: float | None, *, with_sign: bool = True) -> str:
    """Format a number of tricks with one decimal, for example as +1.3, −0.4 or 0.0."""
    if value is None:
        return "–"
    text = formats.number_format(f"{abs(value):.1f}", 1)
    is_nothing = f"{abs(value):.1f}" == "0.0"
    if not with_sign or is_nothing:
        return text
    return f"+{text}" if value > 0 else f"−{text}"


@dataclass(frozen=True, slots=True)
class GradeText:
    """A grade as text: tricks relative to the club's mean over 24 boards, with its range."""

    grade: str
    range: str
    word: str

    @property
    def is_known(self) -> bool:
        """Whether the person has a grade."""
        return bool(self.range)


@dataclass(frozen=True, slots=True)
class GradeStepView:
    """The effect of one evening on a person's grade, as pages show it.

    It includes the expected and actual results, and the grades before and after the evening.
    """

    row: GradeStep
    before: float | None
    event: Event
    partner: str
    expected: str
    expected_range: str
    made: str
    old: GradeText
    new: GradeText
    why: str  # the reason for a recomputation; "" if there was none
    because: str

    @property
    def is_corrected(self) -> bool:
        """Whether the step has changed because results of its own evening were corrected.

        All other reasons for a recomputation affect many evenings.
        """
        return self.row.why in (RecomputationReason.CORRECTED, RecomputationReason.PEOPLE)


@dataclass(frozen=True, slots=True)
class Opponent:
    """A pair or person that someone played against in an evening, with the result on these
    boards.
    """

    name: str
    boards: int
    above: Fraction


@dataclass(frozen=True, slots=True)
class ConstantsView:
    """The constants of a club's grades as pages show them, with their date and reason."""

    s0: float
    tau: float
    q: float
    since: datetime | None
    cause: str
    evenings: int
    is_usual: bool


def build_grade_section(player: Player) -> dict[str, object] | None:
    """Return the grade section of a person's own page; None if the club has no grades.

    It contains the person's grade, and the grades of others that the person may see.
    """
    book = get_grade_book(player.club_id)
    if book is None:
        return None
    rows = book.grades.filter(player=player).select_related("partner")
    own_grade = rows.first()
    return {
        "own": own_grade,
        "said": format_grade(own_grade),
        "others": [
            (grade, format_grade(grade)) for grade in query_grades_for_member(player, book)
        ],
        "made_at": book.made_at,
        "behind": are_grades_outdated_quick(book),
        "hidden": HiddenGrade.objects.filter(player=player).exists(),
        "seen": book.seen,
    }


def format_grade(row: Grade | GradeStep | None) -> GradeText:
    """Format a grade as text; an unknown grade becomes "–"."""
    if row is None or row.shown is None:
        return GradeText("–", "", "")
    return GradeText(
        format_tenths(row.shown), format_tenths(row.range, with_sign=False), row.word
    )


def load_constants_view(book: GradeBook) -> ConstantsView:
    """Return the constants that a club uses; the defaults if no fit is finished."""
    row = book.constants.exclude(done_at=None).last()
    return ConstantsView(
        s0=book.s0,
        tau=book.tau,
        q=book.q,
        since=row.done_at if row else None,
        cause=str(GradeConstants.Cause(row.cause).label) if row else "",
        evenings=row.evenings if row else 0,
        is_usual=row is None or (row.gain is None and row.cause != row.Cause.CHOSEN),
    )


def load_grade_steps(player: Player, *, for_everybody: bool = False) -> list[GradeStepView]:
    """Return the effect of each listed event on a person's grade, the newest first.

    With `for_everybody`, the grade of a pair is removed if the partner does not show it.
    """
    rows = _load_step_rows(player)
    if for_everybody:
        rows = [row if is_step_public(row) else _clear_grade(row) for row in rows]
    steps, before = [], None
    for row in rows:
        steps.append(_build_step_view(row, before))
        before = row
    return steps[::-1]


def find_grade_step(
    player: Player, slug: str, *, for_everybody: bool = False
) -> GradeStepView | None:
    """Return the effect of one event on a person's grade, or None."""
    steps = load_grade_steps(player, for_everybody=for_everybody)
    return next((step for step in steps if step.event.slug == slug), None)


def build_grade_chart(steps: Sequence[GradeStepView]) -> ColumnChart | None:
    """Return the chart of a person's grades after the newest evenings, or None."""
    return draw_column_chart(
        [
            _build_chart_column(step)
            for step in reversed(steps[:MAX_CHART_EVENINGS])
            if step.new.is_known
        ]
    )


def list_opponents(player: Player, event: Event) -> list[Opponent]:
    """Return a person's opponents in an event, sorted by the number of boards in descending
    order.
    """
    entries = set(
        Entry.objects.filter(event=event, players=player).values_list("pk", flat=True)
    )
    against: dict[tuple[int, ...], list[Fraction]] = defaultdict(list)
    for _event, plays in iter_plays_by_board([event.pk]):
        if len(plays) < 2:
            continue
        mean = Fraction(sum(play.ns_tricks for play in plays), len(plays))
        for play in plays:
            for own_entries, other, direction_sign in _iter_directions(play):
                if entries & set(own_entries):
                    against[other].append(direction_sign * (play.ns_tricks - mean))
    names = _load_entry_names({entry for other in against for entry in other})
    opponents = [
        Opponent(
            " & ".join(names[entry] for entry in other), len(tricks), sum(tricks, Fraction())
        )
        for other, tricks in against.items()
    ]
    return sorted(opponents, key=lambda opponent: (-opponent.boards, opponent.name))


def _iter_directions(
    play: PlayedBoard,
) -> Iterable[tuple[tuple[int, ...], tuple[int, ...], int]]:
    ns, ew = (
        tuple(dict.fromkeys(entry for entry in side if entry is not None))
        for side in ((play.north, play.south), (play.east, play.west))
    )
    return (ns, ew, 1), (ew, ns, -1)


def _load_entry_names(entries: set[int]) -> dict[int, str]:
    rows = EntryPlayer.objects.filter(entry__in=entries).order_by("entry", "order")
    people: dict[int, list[str]] = defaultdict(list)
    for row in rows.select_related("player"):
        people[row.entry_id].append(row.player.shown_name)
    return {entry: " & ".join(names) for entry, names in people.items()}


def _load_step_rows(player: Player) -> list[GradeStep]:
    events = Event.objects.filter(club=player.club_id).public()
    book = get_grade_book(player.club_id)
    rows = GradeStep.objects.filter(book=book, player=player, event__in=events)
    newest: dict[int, GradeStep] = {}
    for row in rows.select_related("event", "partner__hidden_grade", "because").order_by("pk"):
        newest[row.event_id] = row
    current_rows = [row for row in newest.values() if row.boards]
    return sorted(current_rows, key=lambda row: (row.event.date, row.event.slug))


def _clear_grade(row: GradeStep) -> GradeStep:
    """Remove the shown grade from a step; the changed object must not be saved."""
    row.shown = row.range = None
    row.word, row.is_pair = "", False
    return row


def _build_step_view(row: GradeStep, before: GradeStep | None) -> GradeStepView:
    is_changed = row.why != RecomputationReason.PLAYED
    return GradeStepView(
        row=row,
        before=before.shown if before else None,
        event=row.event,
        partner=row.partner.shown_name if row.partner else "",
        expected=format_tenths(row.expected),
        expected_range=format_tenths(
            None if row.expected_sd is None else RANGE_STANDARD_DEVIATIONS * row.expected_sd,
            with_sign=False,
        ),
        made=format_tenths(row.made),
        old=format_grade(before),
        new=format_grade(row),
        why=str(RecomputationReason(row.why).label) if is_changed else "",
        because=row.because.name if is_changed and row.because else "",
    )


def _build_chart_column(step: GradeStepView) -> tuple[str, Fraction, str]:
    day = formats.date_format(step.event.date, "j M Y")
    words = f"{day}, {step.event.name}: {step.new.grade} ± {step.new.range}"
    grade = Fraction(round(10 * (step.row.shown or 0.0)), 10)
    return formats.date_format(step.event.date, "M"), grade, words


def build_club_grades_data(club: Club, *, each_evening: bool = False) -> dict[str, Any]:
    """Compute a club's grades from its first event, in the format of a grades file.

    The data contains full names.
    """
    book = GradeBook.objects.filter(club=club).first() or GradeBook(club=club)
    constants = Constants(book.s0, book.tau, book.q)
    constants_view = load_constants_view(book) if book.pk else None
    data = build_grades_data(
        constants,
        list(iter_graded_evenings(list_graded_events(club))),
        each_evening=each_evening,
    )
    names = {str(pk): name for pk, name in club.players.values_list("pk", "name")}
    for evening in data["evenings"]:
        players_by_name = {names.get(pk, pk): row for pk, row in evening["players"].items()}
        evening["players"] = dict(sorted(players_by_name.items()))
    return {
        "constants": {
            "s0": book.s0,
            "tau": book.tau,
            "q": book.q,
            "since": constants_view.since.isoformat()
            if constants_view and constants_view.since
            else None,
            "why": constants_view.cause if constants_view else "",
        },
        **data,
    }
