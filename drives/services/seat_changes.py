"""The recorded effects of acts on a drive's players and seats, which allow an exact undo.

An act compares the drive before and after, and stores the difference. An undo first checks that
the drive is unchanged since the act, and that no score belongs to seats that it would remove.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, Undo
from clubs.errors import NotNow
from clubs.evenings.services import build_clock_state, set_clock_state, write_check_in_state
from drives.draw.participants import PlayerId, SeatedRound
from drives.models import CardTotal, Draw, Drive, DriveChange, DrivePlayer, Round, Seat, Sheet

SEATS_SUBJECT = "seats"
"""The `about` of acts that change players and seats: they are undone in order."""

CLOCK_KEY = "clock"
"""The key of the clock in a saved state.

A later change of the clock does not prevent an undo; the undo then leaves the clock as it is.
"""
CHECK_IN_KEY = "check_in"
"""The key of the check-in in a saved state; a start from check-in changes it."""

DRIVE_FIELDS = ("state", "at_round", "rounds", "apart")
PLAYER_COLUMNS = (
    "player_id",
    "name",
    "role",
    "of_club",
    "fort",
    "house",
    "present",
    "stays_seated",
    "from_round",
    "to_round",
    "takes_over_id",
)


@dataclass
class SeatChange:
    """A locked drive during a change of players or seats, and the details for the history."""

    drive: Drive
    audit_place: dict[str, Any] = field(default_factory=dict)
    audit_before: dict[str, Any] = field(default_factory=dict)
    audit_after: dict[str, Any] = field(default_factory=dict)
    change: DriveChange | None = None


def check_open(drive: Drive) -> None:
    """Raise NotNow if the drive is closed."""
    if drive.is_closed:
        raise NotNow(_("The drive is closed. Reopen it first."))


@contextmanager
def record_seat_change(drive: Drive, action: str, *, by: Actor) -> Iterator[SeatChange]:
    """Lock a drive, let the block change its players and seats, and record the change.

    Nothing is recorded where nothing has changed, as after a double click.
    """
    with transaction.atomic():
        row = lock_activity(drive)
        check_open(row)
        before = _build_state(row)
        change = SeatChange(row)
        yield change
        row.save()
        after = _build_state(row)
        old_values, new_values = (
            _compute_difference(before, after),
            _compute_difference(after, before),
        )
        if old_values != new_values:
            increment_revision(row)
            change.change = DriveChange.objects.create(
                drive=row, before=old_values, after=new_values
            )
            audit.record(
                by,
                action,
                subject=row,
                where=change.audit_place,
                before=change.audit_before,
                after=change.audit_after,
                back=Undo((SEATS_SUBJECT,), "drive.put_back", {"change": change.change.pk}),
            )


@transaction.atomic
def undo_seat_change(*, drive: Drive, change: int, by: Actor) -> None:
    """Restore a drive's players and seats to their state before a change.

    Raises NotNow if they have changed since, or if seats with a score would be removed.
    """
    stored_change = DriveChange.objects.filter(drive=drive, pk=change).first()
    if stored_change is None:
        raise NotNow(_("Can't undo: this no longer exists."))
    with record_seat_change(drive, "drive.put_back", by=by) as undo:
        now = _build_state(undo.drive)
        if not _is_within(
            {p: v for p, v in stored_change.after.items() if p != CLOCK_KEY}, now
        ):
            raise NotNow(_("Players or seats have changed since then. Undo that first."))
        _check_scores(undo.drive, stored_change.before["rounds"], now["rounds"])
        check_last(undo.drive, stored_change.before["drive"].get("at_round"))
        _check_cards(undo.drive, stored_change.before["players"])
        is_same_clock = _is_within({CLOCK_KEY: stored_change.after.get(CLOCK_KEY, {})}, now)
        undo.audit_place = {"round": undo.drive.at_round} if undo.drive.at_round else {}
        _restore(undo.drive, stored_change.before)
        if is_same_clock:
            set_clock_state(
                evening=undo.drive.evening, state=stored_change.before.get(CLOCK_KEY, {})
            )


def _check_scores(
    drive: Drive, target_rounds: Mapping[str, Any], current_rounds: Mapping[str, Any]
) -> None:
    """Refuse to change the seats of a table that has a score."""
    for number, table in list_scored_tables(drive):
        if str(number) not in target_rounds:
            continue
        target_round, seats = (
            target_rounds[str(number)],
            current_rounds[str(number)]["tables"].get(str(table)),
        )
        if target_round is None or target_round["tables"].get(str(table)) != seats:
            raise _build_score_refusal(number, table)


def check_last(drive: Drive, last: int | None) -> None:
    """Raise NotNow if a round after the last has a score, since no page would show it.

    None means that there is no last round.
    """
    for number, table in list_scored_tables(drive):
        if last is not None and number > last:
            raise _build_score_refusal(number, table)


def _build_score_refusal(number: int, table: int) -> NotNow:
    message = _("Table %(table)s already has a score in round %(round)s. Remove it first.")
    return NotNow(message % {"table": table, "round": number})


def _check_cards(drive: Drive, target_players: Mapping[str, Any]) -> None:
    """Refuse to remove a player whose card was handed in."""
    has_card = CardTotal.objects.filter(
        player__in=_list_removed_players(drive, target_players), total__isnull=False
    )
    card = has_card.select_related("player").first()
    if card is not None:
        message = _("Card %(number)s is already handed in. Remove its total first.")
        raise NotNow(message % {"number": card.player.number})


def _list_removed_players(
    drive: Drive, target_players: Mapping[str, Any]
) -> QuerySet[DrivePlayer]:
    """Return the players who are absent from a state."""
    removed_numbers = [
        int(number) for number, values in target_players.items() if values is None
    ]
    return drive.players.filter(number__in=removed_numbers)


def list_scored_tables(drive: Drive) -> list[tuple[int, int]]:
    """Return the rounds and tables that have a score."""
    rows = Sheet.objects.filter(round__drive=drive).exclude(score=[])
    return sorted(set(rows.values_list("round__number", "table")))


def _build_state(drive: Drive) -> dict[str, dict[str, Any]]:
    """Return all values that these acts change, in a JSON format."""
    players = drive.players.order_by("number").values("pk", "number", *PLAYER_COLUMNS)
    rounds: dict[int, dict[str, Any]] = {
        number: {"trumps": trumps, "draw": draw, "tables": defaultdict(list), "rest": []}
        for number, trumps, draw in drive.played.order_by("number").values_list(
            "number", "trumps", "draw_id"
        )
    }
    rows = Seat.objects.filter(round__drive=drive).order_by("table", "seat", "order", "id")
    for number, table, player in rows.values_list("round__number", "table", "player__number"):
        round_ = rounds[number]
        (round_["rest"] if table is None else round_["tables"][str(table)]).append(player)
    return {
        CLOCK_KEY: build_clock_state(drive.evening),
        CHECK_IN_KEY: {"state": drive.evening.check_in_state},
        "drive": {name: getattr(drive, name) for name in DRIVE_FIELDS},
        "players": {str(row.pop("number")): row for row in players},
        "rounds": {
            str(number): round_ | {"tables": dict(round_["tables"])}
            for number, round_ in rounds.items()
        },
    }


def _compute_difference(
    one: Mapping[str, Mapping[str, Any]], other: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return the values of a state that differ from another; None for missing ones."""
    return {
        section: {
            key: one[section].get(key)
            for key in {**one[section], **other[section]}
            if key not in one[section]
            or key not in other[section]
            or one[section][key] != other[section][key]
        }
        for section in one
    }


def _is_within(
    part: Mapping[str, Mapping[str, Any]], full_seats: Mapping[str, Mapping[str, Any]]
) -> bool:
    return all(
        full_seats[name].get(key) == value
        for name, values in part.items()
        for key, value in values.items()
    )


def _restore(drive: Drive, before: Mapping[str, Mapping[str, Any]]) -> None:
    """Write a state: rounds are deleted first and created last, since they refer to players."""
    if state := before.get(CHECK_IN_KEY):
        write_check_in_state(evening=drive.evening, state=state["state"])
    for number in before["rounds"]:
        delete_round(drive, int(number))
    removed_players = _list_removed_players(drive, before["players"])
    # a removed card is empty; the history has its former totals
    CardTotal.objects.filter(player__in=removed_players, total=None).delete()
    for player in removed_players.order_by("-takes_over_id", "-pk"):
        player.delete()
    players_to_restore = {
        n: stored for n, stored in before["players"].items() if stored is not None
    }
    player_keys = set(drive.club.players.values_list("pk", flat=True))
    for number, stored in sorted(players_to_restore.items(), key=lambda item: item[1]["pk"]):
        values = {name: stored[name] for name in PLAYER_COLUMNS}
        if values["player_id"] not in player_keys:  # merged with another player in the meantime
            values["player_id"] = None
        drive.players.update_or_create(
            number=int(number), defaults=values, create_defaults=values | {"pk": stored["pk"]}
        )
    for name, value in before["drive"].items():
        setattr(drive, name, value)
    draws = drive.draws.in_bulk()
    write_rounds(
        drive,
        [
            RoundToWrite(
                number=int(number),
                trumps=stored["trumps"],
                draw=draws[stored["draw"]],
                tables={int(table): seats for table, seats in stored["tables"].items()},
                rest=stored["rest"],
            )
            for number, stored in before["rounds"].items()
            if stored is not None
        ],
    )


def delete_round(drive: Drive, number: int) -> None:
    """Delete a round's seats, its sheets without a score, and its row if no score is left."""
    rows = drive.played.filter(number=number)
    Sheet.objects.filter(round__in=rows, score=[]).delete()
    Seat.objects.filter(round__in=rows).delete()
    rows.exclude(sheets__isnull=False).delete()


@dataclass(frozen=True, kw_only=True)
class RoundToWrite:
    """A round to write: its tables by number, and the players who rest."""

    number: int
    trumps: str
    draw: Draw
    tables: Mapping[int, Sequence[PlayerId]]
    rest: Sequence[PlayerId] = ()


def to_round_to_write(
    number: int, trumps: str, draw: Draw, drawn_round: SeatedRound
) -> RoundToWrite:
    """Return a drawn round as one to write, its tables numbered from 1."""
    tables = dict(enumerate(drawn_round.tables, start=1))
    return RoundToWrite(
        number=number, trumps=trumps, draw=draw, tables=tables, rest=drawn_round.rest
    )


def write_rounds(drive: Drive, rounds: Iterable[RoundToWrite]) -> None:
    """Write the seats of rounds, in a fixed number of queries for any number of rounds."""
    keys = {player.number: player.pk for player in DrivePlayer.objects.filter(drive=drive)}
    seats: list[Seat] = []
    for round_ in rounds:
        row, _is_new = Round.objects.update_or_create(
            drive=drive,
            number=round_.number,
            defaults={"draw": round_.draw, "trumps": round_.trumps},
        )
        seats += [
            Seat(round=row, player_id=keys[int(player)], table=table, seat=seat)
            for table, table_seats in round_.tables.items()
            for seat, player in enumerate(table_seats, start=1)
        ]
        seats += [
            Seat(round=row, player_id=keys[int(player)], order=order)
            for order, player in enumerate(round_.rest, start=1)
        ]
    Seat.objects.bulk_create(seats, batch_size=2000)
