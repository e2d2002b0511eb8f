"""The data for one table's phone: its own round, its players, and its own scores.

It has nothing of other tables and no totals, which are only for the players themselves.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubs.activities.secrecy import format_public_name
from clubs.evenings.tables import TableState, format_call_time, get_author_side
from clubs.models import DirectorCall, TableLink
from drives.draw.participants import PlayerId
from drives.models import Drive, Sheet, SheetVersion
from drives.models.scores import Agreement
from drives.play_forms import SeatsKnown
from drives.play_forms.rounds import BELL_TERM
from drives.scores.rules import Scoring
from drives.scores.score_format import format_score, format_signed
from drives.sheets.bell import describe_bell
from drives.sheets.desk import format_custom, format_trumps
from drives.sheets.people import build_person
from drives.snapshot import (
    DriveSnapshot,
    RoundSnapshot,
    format_seats,
    load_drive,
    load_table_part,
)

MAX_PAD_BUTTONS = 14
"""The maximum number of buttons on the pad: the tricks of a hand."""


@dataclass(frozen=True, slots=True)
class HandOnPhone:
    """One score to enter: a hand, or with the number 0 the whole round.

    `low`, `high` and `total` are the limits of its scores and their sum. `by` is who entered it
    last: side "A" or "B", "table" where the side is unknown, or "desk".
    """

    hand: int
    trumps: str
    score: tuple[int, ...]
    extras: tuple[int, ...]
    awaits: bool
    by: str
    low: int | None
    high: int | None
    total: int | None

    @property
    def is_done(self) -> bool:
        """Whether the table has nothing more to enter or confirm for the hand."""
        return bool(self.score) and not self.awaits

    @property
    def confirming_side(self) -> str:
        """The side that has to confirm: the one that did not enter the score."""
        return "A" if self.by == "B" else "B"

    @property
    def shown_values(self) -> tuple[int, ...]:
        """The values that the page sends back with an entry: the scores, then the extras."""
        return self.score + (self.extras or (0,) * len(self.score))

    @property
    def tally(self) -> tuple[str, ...]:
        """Each score with the extras on top of it."""
        extras = self.shown_values[len(self.score) :]
        pairs = zip(self.score, extras, strict=True)
        return tuple(
            f"{format_signed(score)} + {extra}" if extra else format_signed(score)
            for score, extra in pairs
        )

    @property
    def score_text(self) -> str:
        """The score as text: "8–5", below zero "−480 / 340"."""
        return format_score(self.score)


@dataclass(frozen=True, kw_only=True, slots=True)
class TablePhone(TableState):
    """A table's page; without `seats` the table is not used in this round.

    `hands` are entered one by one; `whole` is the score of the round, None where it has one
    hand. `is_whole` is whether the round is, or usually is, entered as one score. `step` and
    `extras` are those of the score; a `pad` has a button for each score of side A.
    """

    round: int
    of: int | None
    trumps: str
    seats: str
    people: tuple[str, ...]
    sides: tuple[str, ...]
    hands: tuple[HandOnPhone, ...]
    whole: HandOnPhone | None
    is_whole: bool
    figures: int
    step: int
    extras: int
    pad: tuple[int, ...]
    moves: tuple[str, ...]
    bell: str

    @property
    def is_over(self) -> bool:
        """Whether this was the last round."""
        return self.of is not None and self.round >= self.of


def load_phone_snapshot(link: TableLink) -> DriveSnapshot:
    """Load what the page of a link's table shows.

    Only this table and its players' next tables are loaded, unless another table's bell matters
    here.
    """
    drive: Drive = link.evening.drive
    drive.refresh_from_db()
    if drive.terms.get(BELL_TERM):
        return load_drive(drive)
    return load_table_part(drive, link.table, drive.at_round)


def build_table_phone(snapshot: DriveSnapshot, link: TableLink) -> TablePhone:
    """Return the page of a link's table in the round in play."""
    drive, current_round, table = snapshot.drive, snapshot.current_round, link.table
    seats = current_round.tables.get(table) if current_round else None
    people = [
        build_person(snapshot, number, format_public_name).numbered_name
        for number in seats or ()
    ]
    hands, whole_round = (
        _build_hands(snapshot, current_round, table) if current_round and seats else ((), None)
    )
    scoring = snapshot.scoring
    pad = _list_pad_scores(scoring.hand_terms)
    is_by_hands = bool(pad) or any(hand.score for hand in hands)
    open_call = DirectorCall.objects.filter(evening=link.evening_id, table=table).last()
    return TablePhone(
        table=table,
        state=drive.state,
        round=drive.at_round,
        of=drive.rounds,
        trumps=format_trumps(drive, current_round.row.trumps) if current_round else "",
        seats=format_seats(seats) if seats else "",
        people=tuple(people),
        sides=tuple(
            f"{people[current_round]} + {people[current_round + 2]}" for current_round in (0, 1)
        )
        if people
        else (),
        hands=hands,
        whole=whole_round,
        is_whole=whole_round is not None and bool(whole_round.score or not is_by_hands),
        figures=scoring.scores_per_sheet,
        step=scoring.step,
        extras=scoring.extras or 0,
        pad=pad,
        moves=_describe_moves(snapshot, seats) if seats else (),
        called=format_call_time(open_call),
        coming=open_call is not None and open_call.is_being_answered,
        bell=_describe_bell(snapshot, current_round, table) if current_round and seats else "",
    )


def _describe_bell(snapshot: DriveSnapshot, at: RoundSnapshot, table: int) -> str:
    """Return a message for a table that still plays when the bell has rung."""
    if at.count_hands_entered(
        table, snapshot.drive.hands
    ) >= snapshot.drive.hands or not describe_bell(snapshot):
        return ""
    return _("The bell has rung: stop and enter your score so far.")


def _list_pad_scores(of_hand: Scoring) -> tuple[int, ...]:
    """Return the scores that side A can make in a hand, if they fit on the pad."""
    low, high = of_hand.low, of_hand.high
    if low is None or high is None or of_hand.total is None or of_hand.extras:
        return ()
    if of_hand.scores_per_sheet != 2 or low < 0:
        return ()
    scores = tuple(range(low, high + 1, of_hand.step))
    return scores if len(scores) <= MAX_PAD_BUTTONS else ()


def _build_hands(
    snapshot: DriveSnapshot, at: RoundSnapshot, table: int
) -> tuple[tuple[HandOnPhone, ...], HandOnPhone | None]:
    """Return the hands of a table's round, and the whole round where it has several."""
    sheets = {
        hand: sheet for (sheet_table, hand), sheet in at.sheets.items() if sheet_table == table
    }
    enterers = _find_enterers(sheets.values())
    if snapshot.drive.hands == 1:
        return (_build_hand(snapshot, at, 0, sheets.get(0), enterers),), None
    hands = range(1, snapshot.drive.hands + 1)
    return (
        tuple(_build_hand(snapshot, at, hand, sheets.get(hand), enterers) for hand in hands),
        _build_hand(snapshot, at, 0, sheets.get(0), enterers),
    )


def _build_hand(
    snapshot: DriveSnapshot,
    at: RoundSnapshot,
    hand: int,
    sheet: Sheet | None,
    enterers: Mapping[int, str],
) -> HandOnPhone:
    terms = snapshot.scoring.hand_terms if hand else snapshot.scoring
    trumps = at.row.trumps
    if hand and trumps:
        trumps = trumps[(hand - 1) % len(trumps)]
    return HandOnPhone(
        hand=hand,
        trumps=format_trumps(snapshot.drive, trumps),
        score=tuple(sheet.score) if sheet else (),
        extras=tuple(sheet.extras) if sheet else (),
        awaits=sheet is not None and sheet.agreement == Agreement.AWAITED,
        by=enterers.get(sheet.pk, "") if sheet else "",
        low=None if terms.low is None else terms.low * terms.hands,
        high=None if terms.high is None else terms.high * terms.hands,
        total=terms.sheet_total,
    )


def _find_enterers(sheets: Iterable[Sheet]) -> dict[int, str]:
    """Return who entered each sheet last, in the values of `HandOnPhone.by`."""
    rows = SheetVersion.objects.filter(sheet__in=list(sheets)).order_by("pk")
    return {sheet: get_author_side(by) for sheet, by in rows.values_list("sheet", "entered_by")}


def _describe_moves(snapshot: DriveSnapshot, seats: Sequence[PlayerId]) -> tuple[str, ...]:
    """Return texts about the four players' next tables, or else the rule of moves."""
    drive = snapshot.drive
    next_seats = snapshot.rounds.get(drive.at_round + 1)
    if next_seats is None:
        if snapshot.form.seats_known is not SeatsKnown.RESULT or drive.rounds == drive.at_round:
            return ()
        return (format_custom(snapshot),)
    lines = []
    for player in seats:
        name = build_person(snapshot, player, format_public_name).numbered_name
        place = next_seats.find_seat(int(player))
        if place is None:
            lines.append(_("%(who)s sits out") % {"who": name})
        else:
            message = _("%(who)s: table %(table)s, seat %(seat)s")
            lines.append(message % {"who": name, "table": place[0], "seat": place[1]})
    return tuple(lines)
