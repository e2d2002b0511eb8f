"""Exports a drive as a file that another server can import, e.g. to continue the drive."""

from collections import defaultdict
from typing import Any

from clubs.activities.secrecy import format_full_name
from drives.draw.participants import PlayerId
from drives.files.drive_file import FORMAT, VERSION
from drives.files.patches import apply_patches
from drives.models import Award, Draw, Drive, DrivePlayer, Prize
from drives.snapshot import DriveSnapshot, RoundSnapshot
from drives.table_marks import get_table_marks_hooks
from drives.visibility import NameFormatter


def export_drive(
    snapshot: DriveSnapshot,
    *,
    should_include_secret: bool = True,
    format_name: NameFormatter = format_full_name,
) -> dict[str, Any]:
    """Return the content of a drive's file.

    The secret of an open drive is included only if `should_include_secret` is true. A drive
    that was imported and has not changed since is returned exactly as it was imported.
    """
    file_data = build_minimal_file_data(snapshot, format_name)
    drive = snapshot.drive
    if not (should_include_secret or drive.is_closed):
        file_data["secret"] = None
    elif (
        drive.without and format_name is format_full_name and drive.without[0] == drive.revision
    ):
        return apply_patches(file_data, drive.without[1:])
    return file_data


def build_minimal_file_data(
    snapshot: DriveSnapshot, format_name: NameFormatter
) -> dict[str, Any]:
    """Return the content of a drive's file without default values or keys of other programs."""
    drive = snapshot.drive
    played_rounds = [
        round_
        for round_number, round_ in snapshot.round_by_number.items()
        if round_number <= drive.at_round
    ]
    later_rounds = [
        round_
        for round_number, round_ in snapshot.round_by_number.items()
        if round_number > drive.at_round
    ]
    prizes = list(Prize.objects.filter(drive=drive))
    file_data = {
        "format": FORMAT,
        "version": VERSION,
        "name": drive.name,
        "form": drive.form,
        "hands": drive.hands,
        "score": drive.score,
        "players": [
            _build_player(drive_player, format_name)
            for drive_player in snapshot.player_by_number.values()
        ],
        "played": [_build_round(snapshot, round_) for round_ in played_rounds],
        "totals": _build_totals(snapshot),
        "prizes": [build_prize(prize) for prize in prizes],
        "secret": bytes(drive.secret or b"").hex() or None,
    }
    role_words = [drive.first_word, drive.second_word]
    optional_values = {
        "uid": str(drive.uid),
        "date": drive.date.isoformat(),
        "revision": drive.revision,
        "state": drive.state,
        "rounds": drive.rounds,
        "terms": drive.terms,
        "trumps": "" if drive.trumps == "HCDS" else drive.trumps,
        "words": role_words if any(role_words) else [],
        "apart": drive.apart,
        "halves": drive.halves,
        "one_prize_each": None if drive.one_prize_each else False,
        "standings_shown": "" if drive.standings_shown == "after" else drive.standings_shown,
        "paper_size": "" if drive.paper_size == "A4" else drive.paper_size,
        "to_play": [_build_round(snapshot, round_) for round_ in later_rounds],
        "draws": _build_draws(snapshot),
        **get_table_marks_hooks().export_section(drive),
        "commitment": drive.commitment,
        "awards": _build_awards(drive) if drive.is_closed else None,
    }
    # These two are omitted only if they are None; all others are omitted if they are false or
    # empty.
    keys_written_if_false = ("one_prize_each", "awards")
    return file_data | {
        key: value
        for key, value in optional_values.items()
        if value or (key in keys_written_if_false and value is not None)
    }


def _build_player(drive_player: DrivePlayer, format_name: NameFormatter) -> dict[str, Any]:
    name = format_name(drive_player) if drive_player.name or drive_player.player else ""
    player_data = {
        "number": drive_player.number,
        "name": name,
        "role": drive_player.role or None,
        "house": drive_player.house,
    }
    optional_values = {
        "club": drive_player.of_club,
        "fort": drive_player.fort,
        "stays_seated": drive_player.stays_seated,
        "from_round": drive_player.from_round if drive_player.from_round > 1 else 0,
        "takes_over": drive_player.takes_over.number if drive_player.takes_over else None,
    }
    player_data |= {key: value for key, value in optional_values.items() if value}
    if drive_player.to_round is not None:
        player_data["to_round"] = drive_player.to_round
    return player_data if drive_player.present else player_data | {"present": False}


def _build_round(snapshot: DriveSnapshot, round_: RoundSnapshot) -> dict[str, Any]:
    round_data: dict[str, Any] = {
        "round": round_.number,
        "tables": [
            _build_table(snapshot, round_, table_number, seats)
            for table_number, seats in round_.seats_by_table.items()
        ],
        "rest": list(round_.resting_players),
    }
    return round_data | (
        {"trumps": round_.stored_round.trumps} if round_.stored_round.trumps else {}
    )


def _build_table(
    snapshot: DriveSnapshot,
    round_snapshot: RoundSnapshot,
    table_number: int,
    seats: tuple[PlayerId, ...],
) -> dict[str, Any]:
    table_data: dict[str, Any] = {"table": table_number, "seats": list(seats)}
    hand_sheets = [
        sheet
        for (sheet_table_number, hand_number), sheet in sorted(
            round_snapshot.sheet_by_table_and_hand.items()
        )
        if sheet_table_number == table_number
        and sheet.score
        and (hand_number or sheet.contract)
    ]
    score, extra_points = round_snapshot.compute_table_score(table_number)
    if score and (not hand_sheets or len(hand_sheets) == snapshot.drive.hands):
        table_data["score"] = list(score)
        table_data |= {"extras": list(extra_points)} if any(extra_points) else {}
    if hand_sheets:
        table_data["hands"] = [
            {"hand": sheet.hand or 1, "score": sheet.score}
            | ({"extras": sheet.extras} if sheet.extras else {})
            | ({"contract": sheet.contract} if sheet.contract else {})
            for sheet in hand_sheets
        ]
    return table_data


def _build_totals(snapshot: DriveSnapshot) -> list[dict[str, Any]]:
    return [
        {"number": card.player.number, "total": card.total}
        | ({"part": card.part} if card.part > 1 else {})
        | ({"rests": card.rests} if card.rests else {})
        | ({"rows": card.rows} if card.rows else {})
        for card in snapshot.card_totals
        if card.total is not None
    ]


def _build_draws(snapshot: DriveSnapshot) -> list[dict[str, Any]]:
    """Return the draws whose rounds are in use; manually entered seats have no draw."""
    round_numbers_by_draw: dict[int, list[int]] = defaultdict(list)
    draw_by_pk: dict[int, Draw] = {}
    for round_number, round_ in snapshot.round_by_number.items():
        draw_by_pk[round_.stored_round.draw_id] = round_.stored_round.draw
        round_numbers_by_draw[round_.stored_round.draw_id].append(round_number)
    return [
        {
            "kind": draw.kind,
            "first": draw.first,
            "rounds": round_numbers_by_draw[draw_pk],
            "given": draw.given,
            "by": draw.drawn_by,
        }
        for draw_pk, draw in draw_by_pk.items()
        if draw.kind != Draw.Kind.MANUAL
    ]


CUT_RESULT_KEYS = ("won", "cut_by")
"""The keys of a prize that store the result of a cut."""


def build_prize_without_result(prize: Prize) -> dict[str, Any]:
    """Return a prize as data for the prize list of another drive, without a cut's result."""
    return {
        name: value for name, value in build_prize(prize).items() if name not in CUT_RESULT_KEYS
    }


def build_prize(prize: Prize) -> dict[str, Any]:
    """Return a prize as data for the drive file, without default values."""
    return {
        "words": prize.words,
        "field": prize.field,
        "measure": prize.measure,
        "count": prize.count,
        "ties": prize.ties,
    } | {
        name: value
        for name in ("places", "then", "round", "least", "won", "cut_by")
        if (value := getattr(prize, name))
    }


def _build_awards(drive: Drive) -> list[dict[str, Any]]:
    awards = Award.objects.filter(prize__drive=drive).select_related("prize", "player")
    return [
        {
            "prize": award.prize.number,
            "number": award.player.number if award.player else None,
            "why": award.why,
        }
        for award in awards
    ]
