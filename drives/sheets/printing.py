"""Builds the data for the papers of a drive that is stored in the database."""

from collections.abc import Mapping

from clubs.activities.secrecy import format_full_name
from drives.play_forms.rounds import select_form_terms
from drives.sheets.desk import format_movement_rule
from drives.sheets.on_paper import (
    DEFAULT_HAND_COUNT,
    PrintedAward,
    PrintedDrive,
    PrintedPlayer,
    PrintedRound,
    compute_table_moves,
)
from drives.sheets.standing import list_awards
from drives.snapshot import DriveSnapshot
from drives.trumps import compute_round_trumps
from printing.qr import QrCode
from printing.values import Heading


def build_printed_drive(
    snapshot: DriveSnapshot,
    qr_codes_by_player: Mapping[int, QrCode] | None = None,
    qr_codes_by_table: Mapping[int, QrCode] | None = None,
) -> PrintedDrive:
    """Return the data for the papers of a drive.

    `qr_codes_by_player` are the codes of the players' own pages by card number, and
    `qr_codes_by_table` those of the tables' pages by table number.
    """
    drive = snapshot.drive
    default_round_count = max(1, DEFAULT_HAND_COUNT // drive.hands)
    round_count = max(
        [
            drive.rounds or (0 if snapshot.round_by_number else default_round_count),
            *snapshot.round_by_number,
        ]
    )
    if drive.rounds is None and snapshot.last_round_number < default_round_count:
        round_count = default_round_count
    form_terms = select_form_terms(drive.terms)
    roles = (
        (snapshot.get_role_word("first"), snapshot.get_role_word("second"))
        if snapshot.play_form.has_roles
        else None
    )
    table_count = snapshot.table_count
    return PrintedDrive(
        heading=Heading(drive.club.name, drive.name, drive.date),
        form_code=drive.form,
        title=snapshot.play_form.title,
        moves_text=format_movement_rule(snapshot),
        hands_per_round=drive.hands,
        score_kind=snapshot.scoring.kind,
        points=snapshot.worded_points_table,
        rounds=tuple(
            _build_round(snapshot, round_number) for round_number in range(1, round_count + 1)
        ),
        players=_build_players(snapshot, qr_codes_by_player or {}),
        table_count=table_count,
        qr_codes_by_table=qr_codes_by_table or {},
        roles=roles,
        table_moves=compute_table_moves(
            snapshot.play_form, form_terms, table_count, _count_resting_players(snapshot)
        ),
        awards=_build_awards(snapshot),
    )


def _count_resting_players(snapshot: DriveSnapshot) -> int:
    """Return the number of players who rest in the round in play or, before it, in round 1."""
    return (
        len(snapshot.current_round.resting_players)
        if snapshot.current_round is not None
        else len(snapshot.list_present_players(1)) % 4
    )


def _build_round(snapshot: DriveSnapshot, round_number: int) -> PrintedRound:
    round_snapshot = snapshot.round_by_number.get(round_number)
    if round_snapshot is None:
        return PrintedRound(round_number, compute_round_trumps(snapshot.drive, round_number))
    tables = []
    for table_number, seats in round_snapshot.seats_by_table.items():
        player_1, player_2, player_3, player_4 = (
            player for player in seats if isinstance(player, int)
        )
        tables.append((table_number, (player_1, player_2, player_3, player_4)))
    return PrintedRound(
        round_number,
        round_snapshot.stored_round.trumps,
        tuple(tables),
        round_snapshot.resting_players,
    )


def _build_players(
    snapshot: DriveSnapshot, qr_codes_by_player: Mapping[int, QrCode]
) -> tuple[PrintedPlayer, ...]:
    return tuple(
        PrintedPlayer(
            number=player.number,
            name=player.name,
            role=snapshot.get_role_word(player.role),
            fort=player.fort,
            is_house=player.house,
            code=qr_codes_by_player.get(player.number),
        )
        for player in sorted(
            snapshot.player_by_number.values(), key=lambda player: (player.house, player.number)
        )
        if player.to_round is None or player.to_round >= player.from_round
    )


def _build_awards(snapshot: DriveSnapshot) -> tuple[PrintedAward, ...]:
    """Return the prizes, with their winners if the drive is closed."""
    if not snapshot.drive.is_closed:
        return tuple(
            PrintedAward(prize.number, prize.words)
            for prize in snapshot.drive.prizes.all()
            for _each in (prize.places or range(prize.count))
        )
    return tuple(
        PrintedAward(
            award.prize,
            award.prize_text,
            award.person.number if award.person else None,
            award.person.name if award.person else "",
            award.reason,
        )
        for award in list_awards(snapshot, format_full_name)
    )
