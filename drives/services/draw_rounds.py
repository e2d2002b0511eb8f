"""Services that draw and move rounds: the next one, and later ones when players change."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import audit
from clubs.audit import Actor
from clubs.errors import NotNow
from clubs.evenings.services import restart_clock
from clubs.models import Evening
from drives.draw.participants import SeatedRound
from drives.draw.player_changes import find_takeover, replace_player
from drives.drive_results import draw_tie_winner, find_round_winners
from drives.errors import DriveRefused
from drives.ledger import build_rest_ledger
from drives.models import Draw, Drive
from drives.moves.table_repair import get_seat_role
from drives.moves.table_result import Role
from drives.play_forms import SeatsKnown
from drives.play_forms.rounds import DrawInput, make_rounds, parse_draw_input
from drives.play_forms.ties import TieRule, get_tie_rule
from drives.services.seat_changes import (
    RoundToWrite,
    delete_round,
    list_scored_tables,
    record_seat_change,
    to_round_to_write,
    write_rounds,
)
from drives.snapshot import DriveSnapshot, RoundSnapshot, load_drive
from drives.trumps import compute_round_trumps


@transaction.atomic
def begin_next_round(
    *,
    drive: Drive,
    at: int | None = None,
    winners: Mapping[int, str] | None = None,
    standing: Sequence[int] = (),
    by: Actor,
) -> Drive:
    """Begin the next round: draw it or move the players to it, unless it is already drawn.

    `at` is the round that the page showed: if another is in play by now, as after a double
    click, nothing happens. `winners` (table to A or B) are the winners that no score decides:
    after
    a cut, or at a table without a score. `standing`, best first, replaces the computed ranking.
    Raises NotNow or DriveRefused with the reason.
    """
    with record_seat_change(drive, "drive.round", by=by) as change:
        row = change.drive
        if at is not None and row.at_round != at:
            return row
        number = row.at_round + 1
        if number == 1 and row.evening.check_in_state == Evening.CheckInState.OPEN:
            raise NotNow(_("Check-in is open. Start the drive there, or cancel check-in."))
        _check_planned(row, number)
        snapshot = load_drive(row)
        if number not in snapshot.rounds:
            _draw_missing_rounds(snapshot, number, winners or {}, standing, by)
        row.at_round, row.state = number, Drive.State.OPEN
        change.audit_place = {"round": number}
        restart_clock(evening=row.evening)
    return row


def _check_planned(drive: Drive, number: int) -> None:
    if drive.rounds is not None and number > drive.rounds:
        message = ngettext(
            "Round %(rounds)s has been played. Add a round, or close the drive.",
            "All %(rounds)s rounds are played. Add a round, or close the drive.",
            drive.rounds,
        )
        raise NotNow(message % {"rounds": drive.rounds})


def draw_first_rounds(drive: Drive, *, by: Actor) -> None:
    """Draw round 1, or all rounds of a form planned ahead; the caller records the act."""
    _check_planned(drive, 1)
    _draw_missing_rounds(load_drive(drive), 1, {}, (), by)


def _draw_missing_rounds(
    snapshot: DriveSnapshot,
    number: int,
    winners: Mapping[int, str],
    standing: Sequence[int],
    by: Actor,
) -> None:
    """Draw the next round, or all missing rounds of a form that is planned ahead."""
    drive, seats_known = snapshot.drive, snapshot.form.seats_known
    draw_input = DrawInput(
        participants=snapshot.build_participants(number, build_rest_ledger(drive))
    )
    kind = Draw.Kind.DRAWN
    if seats_known is SeatsKnown.AHEAD:
        if drive.rounds is None:
            raise DriveRefused(
                _("Enter the number of rounds first. They're all drawn together.")
            )
        _draw_ahead(snapshot, list(range(number, drive.rounds + 1)), by)
        return
    if seats_known is SeatsKnown.ONE_ROUND:
        draw_input = replace(
            draw_input, standing=tuple(standing) or _rank_players(snapshot, number)
        )
    else:
        draw_input = _add_results(snapshot, number, draw_input, winners)
        kind = Draw.Kind.MOVED if number > 1 else Draw.Kind.DRAWN
    _make_and_write(snapshot, number, kind, draw_input, by)


def _draw_ahead(snapshot: DriveSnapshot, numbers: Sequence[int], by: Actor) -> None:
    """Draw rounds ahead; consecutive rounds with the same players are drawn together."""
    drive = snapshot.drive
    ledger = build_rest_ledger(drive)
    for _who, group in groupby(
        numbers, key=lambda number: snapshot.build_participants(number, ledger)
    ):
        round_numbers = list(group)
        draw_input = DrawInput(
            participants=snapshot.build_participants(round_numbers[0], ledger),
            rounds=len(round_numbers),
        )
        _make_and_write(load_drive(drive), round_numbers[0], Draw.Kind.PLANNED, draw_input, by)


def draw_additional_rounds(drive: Drive, number: int, *, by: Actor) -> None:
    """Draw additional rounds of an evening planned ahead; the caller records the act."""
    snapshot = load_drive(drive)
    if snapshot.form.seats_known is SeatsKnown.AHEAD:
        _draw_missing_rounds(snapshot, number, {}, (), by)


def _rank_players(snapshot: DriveSnapshot, number: int) -> tuple[int, ...]:
    if number == 1 or snapshot.form.code != "standing":
        return ()
    return tuple(
        ranked.number for ranked in snapshot.scores.ranking if isinstance(ranked.number, int)
    )


def _add_results(
    snapshot: DriveSnapshot, number: int, draw_input: DrawInput, winners: Mapping[int, str]
) -> DrawInput:
    roles = snapshot.map_roles() if snapshot.form.has_roles else {}
    if number == 1:
        return replace(draw_input, roles=roles)
    return replace(
        draw_input,
        roles=roles,
        winners=_find_winners(snapshot, number - 1, winners),
        rests=snapshot.count_rests(number),
    )


def _find_winners(
    snapshot: DriveSnapshot, number: int, entered_winners: Mapping[int, str]
) -> dict[int, str]:
    """Return the winning side at each table; ties are decided by the caller's entry or at
    random.
    """
    winners, tied_tables, unscored_tables = find_round_winners(snapshot, number)
    for table, side in entered_winners.items():
        if table not in snapshot.rounds[number].tables:
            raise DriveRefused(_("Table %(table)s not found.") % {"table": table})
        if side not in ("A", "B"):
            message = _("Table %(table)s: the winner must be A or B.")
            raise DriveRefused(message % {"table": table})
        if winners.get(table, side) != side:
            message = _("Table %(table)s: side %(side)s won by the score.")
            raise DriveRefused(message % {"table": table, "side": winners[table]})
        winners[table] = side
    undecided_tables = [table for table in unscored_tables if table not in winners]
    if undecided_tables:
        message = ngettext(
            "Table %(tables)s has no score. Enter it, or choose the winner.",
            "Tables %(tables)s have no score. Enter them, or choose the winners.",
            len(undecided_tables),
        )
        raise DriveRefused(message % {"tables": ", ".join(map(str, undecided_tables))})
    tied = [table for table in tied_tables if table not in winners]
    rule = get_tie_rule(snapshot.drive.terms)
    if tied and rule.needs_entry:
        raise DriveRefused(_format_tie_message(rule) % {"tables": ", ".join(map(str, tied))})
    secret = bytes(snapshot.drive.secret or b"")
    return winners | {table: draw_tie_winner(secret, number, table) for table in tied}


def _format_tie_message(rule: TieRule) -> str:
    """Return the message for tied tables whose winners the organiser has not entered."""
    if rule is TieRule.NEXT_HAND:
        return _("Tied tables: %(tables)s. Enter the winner of the next hand or the cut.")
    if rule is TieRule.HALF:
        return _("Tied tables: %(tables)s. Enter who won the cut to move.")
    return _("Tied tables: %(tables)s. Enter the winner of the cut.")


def _make_and_write(
    snapshot: DriveSnapshot, number: int, kind: str, draw_input: DrawInput, by: Actor
) -> None:
    """Make the rounds from a number on, and replace the existing ones."""
    drive = snapshot.drive
    secret = bytes(drive.secret or b"")
    result = make_rounds(
        snapshot.form, drive.terms, draw_input, secret, snapshot.list_drawn_rounds(number)
    )
    draw = Draw.objects.create(
        drive=drive,
        kind=kind,
        first=number,
        given=draw_input.to_data(),
        drawn_at=timezone.now(),
        drawn_by=audit.format_author_key(by),
    )
    for later in snapshot.rounds:
        if later >= number:
            delete_round(drive, later)
    write_rounds(
        drive,
        [
            to_round_to_write(
                round_number, compute_round_trumps(drive, round_number), draw, seated_round
            )
            for round_number, seated_round in enumerate(result.rounds, start=number)
        ],
    )
    drive.players.filter(number__in=result.retired_players).update(to_round=number - 1)
    if snapshot.form.has_roles:
        _store_roles(snapshot, result.rounds[0])


def _store_roles(snapshot: DriveSnapshot, drawn_round: SeatedRound) -> None:
    """Store each player's role by the new seat; resting players keep their role, or get one."""
    roles = {
        player: str(get_seat_role(seat))
        for seats in drawn_round.tables
        for seat, player in enumerate(seats)
    }
    old_roles = snapshot.map_roles()
    resting = [
        old_roles.get(player, "") if isinstance(player, int) else ""
        for player in drawn_round.rest
    ]
    for player, role in zip(drawn_round.rest, resting, strict=True):
        if not role:
            firsts = resting.count(Role.FIRST) > resting.count(Role.SECOND)
            role = str(Role.SECOND if firsts else Role.FIRST)
            resting[drawn_round.rest.index(player)] = role
        roles[player] = role
    for role in (str(Role.FIRST), str(Role.SECOND)):
        changed = [player for player, new_role in roles.items() if new_role == role]
        snapshot.drive.players.filter(number__in=changed).update(role=role)


def adapt_rounds(
    drive: Drive, first: int, *, by: Actor, swaps: Sequence[tuple[int, int]] = ()
) -> None:
    """Adapt the rounds from a number on to a change of players; earlier rounds never change.

    `swaps` are pairs of a player and the one who takes over the player's seats. The caller
    records
    the act.
    """
    snapshot = load_drive(drive)
    to_play = {number: snapshot.rounds[number] for number in snapshot.rounds if number >= first}
    if not to_play:
        return
    _check_unscored(drive, first, swaps, to_play)
    if snapshot.form.seats_known is SeatsKnown.AHEAD and not swaps:
        swaps = _find_takeover(snapshot, first, list(to_play.values()))
    if swaps:
        _write_swaps(snapshot, to_play, swaps, by)
    elif snapshot.form.keeps_partners:
        raise DriveRefused(_("Pairs and forts stay together. Add a substitute or a stand-in."))
    elif snapshot.form.seats_known is SeatsKnown.AHEAD:
        _draw_ahead(snapshot, list(to_play), by)
    else:
        before = to_play[first].row.draw
        draw_input = replace(
            parse_draw_input(before.given),
            participants=snapshot.build_participants(first, build_rest_ledger(drive)),
            takeovers=(),
        )
        _make_and_write(snapshot, first, before.kind, draw_input, by)


def _check_unscored(
    drive: Drive,
    first: int,
    swaps: Sequence[tuple[int, int]],
    to_play: Mapping[int, RoundSnapshot],
) -> None:
    """Refuse to change seats that have a score; a swap only changes its players' tables."""
    outgoing_players = {outgoing for outgoing, _comes in swaps}
    for number, table in list_scored_tables(drive):
        if number < first:
            continue
        if swaps and not outgoing_players & set(to_play[number].tables.get(table, ())):
            continue
        message = _("Table %(table)s already has a score in round %(round)s. Remove it first.")
        raise NotNow(message % {"table": table, "round": number})


def _find_takeover(
    snapshot: DriveSnapshot, first: int, to_play: Sequence[RoundSnapshot]
) -> list[tuple[int, int]]:
    """Return the swap of a house player for the only newcomer; [] if that is impossible."""
    takeover = find_takeover(
        snapshot.build_participants(first),
        snapshot.list_drawn_rounds(first),
        [round_.as_drawn for round_ in to_play],
        [number for number, row in snapshot.players.items() if row.house],
        stays_together=snapshot.form.keeps_partners,
    )
    if takeover is None:
        return []
    outgoing, incoming = map(int, takeover)  # players here are their numbers
    return [(outgoing, incoming)]


def _write_swaps(
    snapshot: DriveSnapshot,
    to_play: Mapping[int, RoundSnapshot],
    swaps: Sequence[tuple[int, int]],
    by: Actor,
) -> None:
    """Write the rounds to play with some players replaced; each keeps the input of its draw."""
    draws: dict[int, Draw] = {}
    seated: list[RoundToWrite] = []
    swapped: list[SeatedRound] = []
    for number, round_ in to_play.items():
        [seated_round] = [round_.as_drawn]
        for outgoing, incoming in swaps:
            [seated_round] = replace_player([seated_round], outgoing, incoming)
        swapped.append(seated_round)
        old_draw = round_.row.draw
        if old_draw.pk not in draws:
            draw_data = dict(old_draw.given)
            if old_draw.kind != Draw.Kind.GIVEN:
                draw_data["replaced"] = [*draw_data.get("replaced", []), *map(list, swaps)]
            draws[old_draw.pk] = Draw.objects.create(
                drive=snapshot.drive,
                kind=old_draw.kind,
                first=old_draw.first,
                given=draw_data,
                drawn_at=timezone.now(),
                drawn_by=audit.format_author_key(by),
            )
        seated.append(
            RoundToWrite(
                number=number,
                trumps=round_.row.trumps,
                draw=draws[old_draw.pk],
                tables=dict(zip(round_.tables, seated_round.tables, strict=True)),
                rest=seated_round.rest,
            )
        )
        delete_round(snapshot.drive, number)
    write_rounds(snapshot.drive, seated)
    if snapshot.form.has_roles:
        _store_roles(snapshot, swapped[0])
