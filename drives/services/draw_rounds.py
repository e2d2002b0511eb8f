"""Services that begin the next round, and adapt later rounds when players change."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import audit
from clubs.audit import Actor
from clubs.errors import ActionUnavailable
from clubs.evenings.services import restart_clock
from clubs.models import Evening
from drives.draw.participants import SeatedRound
from drives.draw.player_changes import find_seat_takeover, replace_player
from drives.drive_results import draw_tie_winner, find_round_winners
from drives.errors import DriveActionNotAllowed
from drives.ledger import count_rests_earlier_in_year
from drives.models import Draw, Drive
from drives.moves.table_repair import get_seat_role
from drives.moves.table_result import Role
from drives.play_forms import SeatingTime
from drives.play_forms.rounds import DrawInput, parse_draw_input, seat_rounds
from drives.play_forms.ties import TieRule, get_tie_rule
from drives.services.seat_changes import (
    RoundToWrite,
    build_round_to_write,
    delete_round,
    list_scored_tables,
    record_seat_change,
    write_rounds,
)
from drives.snapshot import DriveSnapshot, RoundSnapshot, load_drive_snapshot
from drives.trumps import compute_round_trumps


@transaction.atomic
def begin_next_round(
    *,
    drive: Drive,
    shown_round_number: int | None = None,
    winners_by_table: Mapping[int, str] | None = None,
    ranked_players: Sequence[int] = (),
    by: Actor,
) -> Drive:
    """Begin the next round; if it has no seats yet, draw it or move the players.

    `shown_round_number` is the round in play when the page was loaded. If another round is in
    play now, as after a double click, nothing happens. `winners_by_table` contains the winning
    side of a table, A or B, if no score decides: after a cut, or at a table without a score.
    `ranked_players` lists the numbers of the players, the best first, and replaces the computed
    ranking. Raises ActionUnavailable or DriveActionNotAllowed with the reason.
    """
    with record_seat_change(drive, "drive.round", by=by) as change:
        locked_drive = change.drive
        if shown_round_number is not None and locked_drive.at_round != shown_round_number:
            return locked_drive
        round_number = locked_drive.at_round + 1
        if (
            round_number == 1
            and locked_drive.evening.check_in_state == Evening.CheckInState.OPEN
        ):
            raise ActionUnavailable(
                _("Check-in is open. Start the drive there, or cancel check-in.")
            )
        _check_round_is_planned(locked_drive, round_number)
        snapshot = load_drive_snapshot(locked_drive)
        if round_number not in snapshot.round_by_number:
            _draw_missing_rounds(
                snapshot, round_number, winners_by_table or {}, ranked_players, by
            )
        locked_drive.at_round, locked_drive.state = round_number, Drive.State.OPEN
        change.audit_location = {"round": round_number}
        restart_clock(evening=locked_drive.evening)
    return locked_drive


def _check_round_is_planned(drive: Drive, round_number: int) -> None:
    if drive.rounds is not None and round_number > drive.rounds:
        message = ngettext(
            "Round %(rounds)s has been played. Add a round, or close the drive.",
            "All %(rounds)s rounds have been played. Add a round, or close the drive.",
            drive.rounds,
        )
        raise ActionUnavailable(message % {"rounds": drive.rounds})


def draw_first_rounds(drive: Drive, *, by: Actor) -> None:
    """Draw round 1, or all rounds if this type of drive draws them together.

    The caller records the act in the history.
    """
    _check_round_is_planned(drive, 1)
    _draw_missing_rounds(load_drive_snapshot(drive), 1, {}, (), by)


def _draw_missing_rounds(
    snapshot: DriveSnapshot,
    round_number: int,
    winners_by_table: Mapping[int, str],
    ranked_players: Sequence[int],
    by: Actor,
) -> None:
    """Seat the next round, or all missing rounds if this type of drive draws them together."""
    drive, seating_time = snapshot.drive, snapshot.play_form.seating_time
    draw_input = DrawInput(
        participants=snapshot.build_participants(
            round_number, count_rests_earlier_in_year(drive)
        )
    )
    draw_kind = Draw.Kind.DRAWN
    if seating_time is SeatingTime.BEFORE_PLAY:
        if drive.rounds is None:
            raise DriveActionNotAllowed(
                _("Enter the number of rounds first. They’re all drawn together.")
            )
        _draw_planned_rounds(snapshot, list(range(round_number, drive.rounds + 1)), by)
        return
    if seating_time is SeatingTime.ONE_ROUND_AHEAD:
        draw_input = replace(
            draw_input,
            ranked_players=tuple(ranked_players) or _rank_players(snapshot, round_number),
        )
    else:
        draw_input = _add_roles_and_results(
            snapshot, round_number, draw_input, winners_by_table
        )
        draw_kind = Draw.Kind.MOVED if round_number > 1 else Draw.Kind.DRAWN
    _seat_and_write_rounds(snapshot, round_number, draw_kind, draw_input, by)


def _draw_planned_rounds(
    snapshot: DriveSnapshot, planned_round_numbers: Sequence[int], by: Actor
) -> None:
    """Draw the rounds with these numbers; successive rounds with equal players share a draw."""
    drive = snapshot.drive
    rest_count_by_player = count_rests_earlier_in_year(drive)
    for _participants_key, number_group in groupby(
        planned_round_numbers,
        key=lambda round_number: snapshot.build_participants(
            round_number, rest_count_by_player
        ),
    ):
        round_numbers = list(number_group)
        draw_input = DrawInput(
            participants=snapshot.build_participants(round_numbers[0], rest_count_by_player),
            round_count=len(round_numbers),
        )
        _seat_and_write_rounds(
            load_drive_snapshot(drive), round_numbers[0], Draw.Kind.PLANNED, draw_input, by
        )


def draw_additional_rounds(drive: Drive, round_number: int, *, by: Actor) -> None:
    """Draw the rounds from `round_number` on, if this type of drive draws all rounds at once.

    For other types nothing happens. The caller records the act in the history.
    """
    snapshot = load_drive_snapshot(drive)
    if snapshot.play_form.seating_time is SeatingTime.BEFORE_PLAY:
        _draw_missing_rounds(snapshot, round_number, {}, (), by)


def _rank_players(snapshot: DriveSnapshot, round_number: int) -> tuple[int, ...]:
    """Return the players in order of rank if the round is drawn from the ranking, else ()."""
    if round_number == 1 or snapshot.play_form.code != "standing":
        return ()
    return tuple(
        ranked_player.number
        for ranked_player in snapshot.scores.ranking
        if isinstance(ranked_player.number, int)
    )


def _add_roles_and_results(
    snapshot: DriveSnapshot,
    round_number: int,
    draw_input: DrawInput,
    winners_by_table: Mapping[int, str],
) -> DrawInput:
    """Add the players' roles to `draw_input` and, after round 1, the winners and rests."""
    role_by_player = snapshot.get_role_by_player() if snapshot.play_form.has_roles else {}
    if round_number == 1:
        return replace(draw_input, role_by_player=role_by_player)
    return replace(
        draw_input,
        role_by_player=role_by_player,
        winner_by_table=_find_winners(snapshot, round_number - 1, winners_by_table),
        rest_count_by_player=snapshot.count_rests(round_number),
    )


def _find_winners(
    snapshot: DriveSnapshot, round_number: int, entered_winners_by_table: Mapping[int, str]
) -> dict[int, str]:
    """Return the winning side of each table.

    A tied table is decided by `entered_winners_by_table`, or at random if the tie rule
    allows it.
    """
    winners_by_table, tied_tables, unscored_tables = find_round_winners(snapshot, round_number)
    for table_number, winning_side in entered_winners_by_table.items():
        if table_number not in snapshot.round_by_number[round_number].seats_by_table:
            raise DriveActionNotAllowed(
                _("Table %(table)s not found.") % {"table": table_number}
            )
        if winning_side not in ("A", "B"):
            message = _("Table %(table)s: the winner must be A or B.")
            raise DriveActionNotAllowed(message % {"table": table_number})
        if winners_by_table.get(table_number, winning_side) != winning_side:
            message = _("Table %(table)s: side %(side)s won by the score.")
            raise DriveActionNotAllowed(
                message % {"table": table_number, "side": winners_by_table[table_number]}
            )
        winners_by_table[table_number] = winning_side
    undecided_tables = [
        table_number for table_number in unscored_tables if table_number not in winners_by_table
    ]
    if undecided_tables:
        message = ngettext(
            "Table %(tables)s has no score. Enter it, or choose the winner.",
            "Tables %(tables)s have no score. Enter them, or choose the winners.",
            len(undecided_tables),
        )
        raise DriveActionNotAllowed(message % {"tables": ", ".join(map(str, undecided_tables))})
    undecided_tied_tables = [
        table_number for table_number in tied_tables if table_number not in winners_by_table
    ]
    tie_rule = get_tie_rule(snapshot.drive.terms)
    if undecided_tied_tables and tie_rule.is_winner_input_needed:
        raise DriveActionNotAllowed(
            _format_tie_message(tie_rule)
            % {"tables": ", ".join(map(str, undecided_tied_tables))}
        )
    secret = bytes(snapshot.drive.secret or b"")
    return winners_by_table | {
        table_number: draw_tie_winner(secret, round_number, table_number)
        for table_number in undecided_tied_tables
    }


def _format_tie_message(tie_rule: TieRule) -> str:
    """Return the message for tied tables whose winners the organiser has not entered."""
    if tie_rule is TieRule.NEXT_HAND:
        return _("Tied tables: %(tables)s. Enter the winner of the next hand or the cut.")
    if tie_rule is TieRule.HALF_POINTS:
        return _("Tied tables: %(tables)s. Enter who won the cut to move.")
    return _("Tied tables: %(tables)s. Enter the winner of the cut.")


def _seat_and_write_rounds(
    snapshot: DriveSnapshot,
    first_round_number: int,
    draw_kind: str,
    draw_input: DrawInput,
    by: Actor,
) -> None:
    """Seat the rounds from `first_round_number` on, and replace the existing rounds by them."""
    drive = snapshot.drive
    secret = bytes(drive.secret or b"")
    draw_result = seat_rounds(
        snapshot.play_form,
        drive.terms,
        draw_input,
        secret,
        snapshot.list_drawn_rounds(first_round_number),
    )
    draw = Draw.objects.create(
        drive=drive,
        kind=draw_kind,
        first=first_round_number,
        given=draw_input.to_data(),
        drawn_at=timezone.now(),
        drawn_by=audit.format_author_key(by),
    )
    for later_round_number in snapshot.round_by_number:
        if later_round_number >= first_round_number:
            delete_round(drive, later_round_number)
    write_rounds(
        drive,
        [
            build_round_to_write(
                round_number,
                compute_round_trumps(drive, round_number),
                draw,
                seated_round,
            )
            for round_number, seated_round in enumerate(
                draw_result.rounds, start=first_round_number
            )
        ],
    )
    drive.players.filter(number__in=draw_result.retired_players).update(
        to_round=first_round_number - 1
    )
    if snapshot.play_form.has_roles:
        _store_roles(snapshot, draw_result.rounds[0])


def _store_roles(snapshot: DriveSnapshot, seated_round: SeatedRound) -> None:
    """Store the role of each player's new seat; resting players keep their role or get one."""
    role_by_player = {
        player_number: str(get_seat_role(seat))
        for seats in seated_round.tables
        for seat, player_number in enumerate(seats)
    }
    old_role_by_player = snapshot.get_role_by_player()
    resting_roles = [
        old_role_by_player.get(player_number, "") if isinstance(player_number, int) else ""
        for player_number in seated_round.resting_players
    ]
    for player_number, role in zip(seated_round.resting_players, resting_roles, strict=True):
        if not role:
            has_more_firsts = resting_roles.count(Role.FIRST) > resting_roles.count(Role.SECOND)
            role = str(Role.SECOND if has_more_firsts else Role.FIRST)
            resting_roles[seated_round.resting_players.index(player_number)] = role
        role_by_player[player_number] = role
    for role in (str(Role.FIRST), str(Role.SECOND)):
        player_numbers = [
            player_number
            for player_number, new_role in role_by_player.items()
            if new_role == role
        ]
        snapshot.drive.players.filter(number__in=player_numbers).update(role=role)


def adapt_rounds(
    drive: Drive, first_round_number: int, *, by: Actor, swaps: Sequence[tuple[int, int]] = ()
) -> None:
    """Change the rounds from `first_round_number` on after players have come, left or swapped.

    `swaps` are pairs of player numbers: the second player takes over the seats of the first.
    The caller records the act in the history.
    """
    snapshot = load_drive_snapshot(drive)
    remaining_round_by_number = {
        round_number: snapshot.round_by_number[round_number]
        for round_number in snapshot.round_by_number
        if round_number >= first_round_number
    }
    if not remaining_round_by_number:
        return
    _check_no_scores(drive, first_round_number, swaps, remaining_round_by_number)
    if snapshot.play_form.seating_time is SeatingTime.BEFORE_PLAY and not swaps:
        swaps = _find_seat_takeovers(
            snapshot, first_round_number, list(remaining_round_by_number.values())
        )
    if swaps:
        _record_swaps(snapshot, remaining_round_by_number, swaps, by)
    elif snapshot.play_form.has_fixed_partners:
        raise DriveActionNotAllowed(
            _("Pairs and forts stay together. Add a substitute or a stand-in.")
        )
    elif snapshot.play_form.seating_time is SeatingTime.BEFORE_PLAY:
        _draw_planned_rounds(snapshot, list(remaining_round_by_number), by)
    else:
        previous_draw = remaining_round_by_number[first_round_number].stored_round.draw
        draw_input = replace(
            parse_draw_input(previous_draw.given),
            participants=snapshot.build_participants(
                first_round_number, count_rests_earlier_in_year(drive)
            ),
            takeovers=(),
        )
        _seat_and_write_rounds(snapshot, first_round_number, previous_draw.kind, draw_input, by)


def exchange_seats(drive: Drive, exchanges: Sequence[tuple[int, int]], *, by: Actor) -> None:
    """Let pairs of players exchange their seats in all rounds, one pair after the other.

    The caller records the act in the history.
    """
    if not exchanges:
        return
    snapshot = load_drive_snapshot(drive)
    placeholder_number = min(snapshot.player_by_number) - 1
    swaps = [
        swap
        for first_player, second_player in exchanges
        for swap in (
            (first_player, placeholder_number),
            (second_player, first_player),
            (placeholder_number, second_player),
        )
    ]
    _record_swaps(snapshot, snapshot.round_by_number, swaps, by)


def _check_no_scores(
    drive: Drive,
    first_round_number: int,
    swaps: Sequence[tuple[int, int]],
    remaining_round_by_number: Mapping[int, RoundSnapshot],
) -> None:
    """Raise ActionUnavailable if a table whose seats would change has a score.

    A swap changes only the tables of its players.
    """
    outgoing_players = {outgoing_player for outgoing_player, _incoming_player in swaps}
    for round_number, table_number in list_scored_tables(drive):
        if round_number < first_round_number:
            continue
        if swaps and not outgoing_players & set(
            remaining_round_by_number[round_number].seats_by_table.get(table_number, ())
        ):
            continue
        message = _("Table %(table)s already has a score in round %(round)s. Remove it first.")
        raise ActionUnavailable(message % {"table": table_number, "round": round_number})


def _find_seat_takeovers(
    snapshot: DriveSnapshot, first_round_number: int, remaining_rounds: Sequence[RoundSnapshot]
) -> list[tuple[int, int]]:
    """Return [(house player, newcomer)] if a newcomer can take over the seats, else []."""
    seat_takeover = find_seat_takeover(
        snapshot.build_participants(first_round_number),
        snapshot.list_drawn_rounds(first_round_number),
        [round_.seated_round for round_ in remaining_rounds],
        [
            player_number
            for player_number, player in snapshot.player_by_number.items()
            if player.house
        ],
        has_fixed_partners=snapshot.play_form.has_fixed_partners,
    )
    if seat_takeover is None:
        return []
    outgoing_player, incoming_player = map(int, seat_takeover)
    return [(outgoing_player, incoming_player)]


def _record_swaps(
    snapshot: DriveSnapshot,
    remaining_round_by_number: Mapping[int, RoundSnapshot],
    swaps: Sequence[tuple[int, int]],
    by: Actor,
) -> None:
    """Replace players in the remaining rounds, and record the swaps in the input of draws."""
    new_draws_by_old_pk: dict[int, Draw] = {}
    rounds_to_write: list[RoundToWrite] = []
    swapped_rounds: list[SeatedRound] = []
    for round_number, round_ in remaining_round_by_number.items():
        [seated_round] = [round_.seated_round]
        for outgoing_player, incoming_player in swaps:
            [seated_round] = replace_player([seated_round], outgoing_player, incoming_player)
        swapped_rounds.append(seated_round)
        old_draw = round_.stored_round.draw
        if old_draw.pk not in new_draws_by_old_pk:
            draw_data = dict(old_draw.given)
            if old_draw.kind != Draw.Kind.MANUAL:
                draw_data["replaced"] = [*draw_data.get("replaced", []), *map(list, swaps)]
            new_draws_by_old_pk[old_draw.pk] = Draw.objects.create(
                drive=snapshot.drive,
                kind=old_draw.kind,
                first=old_draw.first,
                given=draw_data,
                drawn_at=timezone.now(),
                drawn_by=audit.format_author_key(by),
            )
        rounds_to_write.append(
            RoundToWrite(
                number=round_number,
                trumps=round_.stored_round.trumps,
                draw=new_draws_by_old_pk[old_draw.pk],
                seats_by_table=dict(
                    zip(round_.seats_by_table, seated_round.tables, strict=True)
                ),
                resting_players=seated_round.resting_players,
            )
        )
        delete_round(snapshot.drive, round_number)
    write_rounds(snapshot.drive, rounds_to_write)
    if snapshot.play_form.has_roles:
        _store_roles(snapshot, swapped_rounds[0])
