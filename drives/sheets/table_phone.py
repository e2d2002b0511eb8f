"""Builds the data for the phone of one table: the round in play, its players and scores.

The data contains nothing about other tables, and no player's total, because only the player may
see it.
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
from drives.play_forms import SeatingTime
from drives.play_forms.rounds import BELL_TERM
from drives.scores.rules import Scoring
from drives.scores.score_format import format_score, format_signed
from drives.sheets.bell import describe_bell
from drives.sheets.desk import format_movement_rule, format_trumps
from drives.sheets.people import build_person
from drives.snapshot import (
    DriveSnapshot,
    RoundSnapshot,
    format_seats,
    load_drive_snapshot,
    load_table_snapshot,
)

MAX_PAD_BUTTONS = 14
"""The maximum number of buttons on the pad, i.e. one for each number of tricks from 0 to 13."""


@dataclass(frozen=True, slots=True)
class HandOnPhone:
    """A score to enter, for one hand or for the whole round if `hand` is 0.

    `awaits` is true if the other side has to confirm the score. `by` is the last author: side
    "A" or "B", "table" if the side is unknown, or "desk". The field names are keys of the JSON
    for phones.
    """

    hand: int
    trumps: str
    score: tuple[int, ...]
    extras: tuple[int, ...]
    awaits: bool
    by: str
    low: int | None  # the lowest valid score; None if there is no limit
    high: int | None  # the highest valid score; None if there is no limit
    total: int | None  # the sum of the scores; None if it varies

    @property
    def is_done(self) -> bool:
        """Whether the hand has a score that does not await confirmation."""
        return bool(self.score) and not self.awaits

    @property
    def confirming_side(self) -> str:
        """The side that has to confirm the score: the side that did not enter it."""
        return "A" if self.by == "B" else "B"

    @property
    def score_and_extra_values(self) -> tuple[int, ...]:
        """The stored scores and then extras, which the page sends back with a new score."""
        return self.score + (self.extras or (0,) * len(self.score))

    @property
    def score_texts(self) -> tuple[str, ...]:
        """Each score as text, with its extras if there are any, e.g. "82 + 20"."""
        extra_points = self.score_and_extra_values[len(self.score) :]
        scores_and_extras = zip(self.score, extra_points, strict=True)
        return tuple(
            f"{format_signed(score)} + {extra}" if extra else format_signed(score)
            for score, extra in scores_and_extras
        )

    @property
    def score_text(self) -> str:
        """The score as text, e.g. "8–5" or "−480 / 340"."""
        return format_score(self.score)


@dataclass(frozen=True, kw_only=True, slots=True)
class TablePhonePage(TableState):
    """A table's page; `seats` is empty if the table is not used in this round.

    `of` is the planned number of rounds. `hands` are the single hands. `whole` is the score of
    the whole round, or None if rounds have one hand. `is_whole` is true if the round is entered
    as one score. `figures` is the number of scores on a sheet. Scores are multiples of `step`,
    and extras are multiples of `extras`. A `pad` has a button for each score of side A. `moves`
    are texts about the next round. `departures` are texts about the present seats of the
    players who sat here in the previous round. The field names are keys of the JSON for phones.
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
    departures: tuple[str, ...]
    bell: str

    @property
    def is_over(self) -> bool:
        """Whether the round in play is the last planned round."""
        return self.of is not None and self.round >= self.of

    @property
    def previous_round(self) -> int:
        """The number of the round before the one in play."""
        return self.round - 1


def load_phone_snapshot(link: TableLink) -> DriveSnapshot:
    """Load the data for the page of a link's table, whose drive must be up to date.

    Only this table and its players' next tables are loaded. If a bell can end the round, all
    tables are loaded, because the scores of other tables decide when it rings.
    """
    drive: Drive = link.evening.drive
    if drive.terms.get(BELL_TERM):
        return load_drive_snapshot(drive)
    return load_table_snapshot(drive, link.table, drive.at_round)


def build_table_phone_page(snapshot: DriveSnapshot, link: TableLink) -> TablePhonePage:
    """Return the page of a link's table in the round in play."""
    drive, current_round, table_number = snapshot.drive, snapshot.current_round, link.table
    seats = current_round.seats_by_table.get(table_number) if current_round else None
    people = [
        build_person(snapshot, player_number, format_public_name).numbered_name
        for player_number in seats or ()
    ]
    hands, whole_round_hand = (
        _build_phone_hands(snapshot, current_round, table_number)
        if current_round and seats
        else ((), None)
    )
    scoring = snapshot.scoring
    keypad_scores = _list_keypad_scores(scoring.single_hand_scoring)
    is_entered_by_hands = bool(keypad_scores) or any(hand.score for hand in hands)
    last_director_call = DirectorCall.objects.filter(
        evening=link.evening_id, table=table_number
    ).last()
    return TablePhonePage(
        table=table_number,
        state=drive.state,
        round=drive.at_round,
        of=drive.rounds,
        trumps=format_trumps(drive, current_round.stored_round.trumps) if current_round else "",
        seats=format_seats(seats) if seats else "",
        people=tuple(people),
        sides=tuple(f"{people[seat_index]} + {people[seat_index + 2]}" for seat_index in (0, 1))
        if people
        else (),
        hands=hands,
        whole=whole_round_hand,
        is_whole=whole_round_hand is not None
        and bool(whole_round_hand.score or not is_entered_by_hands),
        figures=scoring.scores_per_sheet,
        step=scoring.step,
        extras=scoring.extras_step or 0,
        pad=keypad_scores,
        moves=_describe_moves(snapshot, seats) if seats else (),
        departures=_describe_departures(snapshot, table_number),
        called=format_call_time(last_director_call),
        coming=last_director_call is not None and last_director_call.is_being_answered,
        bell=_describe_bell(snapshot, current_round, table_number)
        if current_round and seats
        else "",
    )


def _describe_bell(
    snapshot: DriveSnapshot, round_snapshot: RoundSnapshot, table_number: int
) -> str:
    """Return a message if the bell has rung and the table still plays, else ""."""
    if round_snapshot.count_hands_entered(
        table_number, snapshot.drive.hands
    ) >= snapshot.drive.hands or not describe_bell(snapshot):
        return ""
    return _("The bell has rung: stop and enter your score so far.")


def _list_keypad_scores(scoring: Scoring) -> tuple[int, ...]:
    """Return the possible scores of side A in a hand; () if they need too many buttons."""
    low, high = scoring.min_score, scoring.max_score
    if low is None or high is None or scoring.total is None or scoring.extras_step:
        return ()
    if scoring.scores_per_sheet != 2 or low < 0:
        return ()
    scores = tuple(range(low, high + 1, scoring.step))
    return scores if len(scores) <= MAX_PAD_BUTTONS else ()


def _build_phone_hands(
    snapshot: DriveSnapshot, round_snapshot: RoundSnapshot, table_number: int
) -> tuple[tuple[HandOnPhone, ...], HandOnPhone | None]:
    """Return the hands of a table's round, and the whole round if it has several hands."""
    sheet_by_hand = {
        hand_number: sheet
        for (
            sheet_table_number,
            hand_number,
        ), sheet in round_snapshot.sheet_by_table_and_hand.items()
        if sheet_table_number == table_number
    }
    author_side_by_sheet = _find_last_authors(sheet_by_hand.values())
    if snapshot.drive.hands == 1:
        return (
            _build_hand(
                snapshot, round_snapshot, 0, sheet_by_hand.get(0), author_side_by_sheet
            ),
        ), None
    hand_numbers = range(1, snapshot.drive.hands + 1)
    return (
        tuple(
            _build_hand(
                snapshot,
                round_snapshot,
                hand_number,
                sheet_by_hand.get(hand_number),
                author_side_by_sheet,
            )
            for hand_number in hand_numbers
        ),
        _build_hand(snapshot, round_snapshot, 0, sheet_by_hand.get(0), author_side_by_sheet),
    )


def _build_hand(
    snapshot: DriveSnapshot,
    round_snapshot: RoundSnapshot,
    hand_number: int,
    sheet: Sheet | None,
    sides_by_sheet: Mapping[int, str],
) -> HandOnPhone:
    scoring = snapshot.scoring.single_hand_scoring if hand_number else snapshot.scoring
    trumps = round_snapshot.stored_round.trumps
    if hand_number and trumps:
        trumps = trumps[(hand_number - 1) % len(trumps)]
    return HandOnPhone(
        hand=hand_number,
        trumps=format_trumps(snapshot.drive, trumps),
        score=tuple(sheet.score) if sheet else (),
        extras=tuple(sheet.extras) if sheet else (),
        awaits=sheet is not None and sheet.agreement == Agreement.AWAITED,
        by=sides_by_sheet.get(sheet.pk, "") if sheet else "",
        low=None if scoring.min_score is None else scoring.min_score * scoring.hands_per_round,
        high=None if scoring.max_score is None else scoring.max_score * scoring.hands_per_round,
        total=scoring.sheet_total,
    )


def _find_last_authors(sheets: Iterable[Sheet]) -> dict[int, str]:
    """Return the last author of each sheet by its primary key, as in `HandOnPhone.by`."""
    sheet_versions = SheetVersion.objects.filter(sheet__in=list(sheets)).order_by("pk")
    return {
        sheet_id: get_author_side(author_key)
        for sheet_id, author_key in sheet_versions.values_list("sheet", "entered_by")
    }


def _describe_moves(snapshot: DriveSnapshot, seats: Sequence[PlayerId]) -> tuple[str, ...]:
    """Return texts about the four players' next tables, or else the rule of moves."""
    drive = snapshot.drive
    next_round = snapshot.round_by_number.get(drive.at_round + 1)
    if next_round is None:
        if (
            snapshot.play_form.seating_time is not SeatingTime.AFTER_RESULT
            or drive.rounds == drive.at_round
        ):
            return ()
        return (format_movement_rule(snapshot),)
    return _describe_seats(snapshot, seats, next_round)


def _describe_departures(snapshot: DriveSnapshot, table_number: int) -> tuple[str, ...]:
    """Return texts about the present seats of the players who sat here in the last round.

    Returns () if the table already has a score or if all four players keep their seats.
    """
    current_round = snapshot.current_round
    previous_round = snapshot.round_by_number.get(snapshot.drive.at_round - 1)
    if (
        current_round is None
        or previous_round is None
        or table_number not in previous_round.seats_by_table
    ):
        return ()
    players = previous_round.seats_by_table[table_number]
    has_score = any(
        sheet.score
        for (sheet_table_number, _hand), sheet in current_round.sheet_by_table_and_hand.items()
        if sheet_table_number == table_number
    )
    if has_score or players == current_round.seats_by_table.get(table_number):
        return ()
    return _describe_seats(snapshot, players, current_round)


def _describe_seats(
    snapshot: DriveSnapshot, players: Sequence[PlayerId], round_snapshot: RoundSnapshot
) -> tuple[str, ...]:
    """Return a text about each player's seat in a round; players who withdrew are omitted."""
    seat_texts = []
    for player in players:
        name = build_person(snapshot, player, format_public_name).numbered_name
        table_and_seat = round_snapshot.find_seat(int(player))
        if table_and_seat is not None:
            message = _("%(who)s: table %(table)s, seat %(seat)s")
            seat_texts.append(
                message % {"who": name, "table": table_and_seat[0], "seat": table_and_seat[1]}
            )
        elif player in round_snapshot.resting_players:
            seat_texts.append(_("%(who)s sits out") % {"who": name})
    return tuple(seat_texts)
