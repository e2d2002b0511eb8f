"""Verifies a drive file: repeats all its lots, draws and moves with its secret."""

from django.utils.translation import gettext as _

from drives.draw.participants import SeatedRound
from drives.errors import UnreadableDrive
from drives.files.drive_file import DriveFile, DriveFileDraw
from drives.files.standings import compute_awards
from drives.play_forms.rounds import seat_rounds
from drives.prizes.lot import compute_commitment


def list_prize_draw_mismatches(drive_file: DriveFile) -> list[str]:
    """Repeat every lot of a drive, and return messages about differences; [] if there are none.

    Raises UnreadableDrive if the file has no secret.
    """
    if not drive_file.secret:
        raise UnreadableDrive(_("secret: missing. It’s in the file once the drive is closed."))
    mismatches = []
    if drive_file.commitment is not None and drive_file.commitment != compute_commitment(
        drive_file.secret
    ):
        mismatches.append(_("The fingerprint doesn’t match this secret."))
    if drive_file.awards is None:
        return mismatches
    awards_in_file = {(award.prize, award.number) for award in drive_file.awards}
    computed_awards = {
        (award.prize_number, award.player_number) for award in compute_awards(drive_file)
    }
    for prize_number, player_number in sorted(awards_in_file ^ computed_awards, key=str):
        if (prize_number, player_number) in awards_in_file:
            message = _(
                "Prize %(prize)s: player %(player)s has it in the file but not in the draw."
            )
        else:
            message = _(
                "Prize %(prize)s: player %(player)s has it in the draw but not in the file."
            )
        mismatches.append(message % {"prize": prize_number, "player": player_number})
    return mismatches


def list_seating_mismatches(drive_file: DriveFile) -> list[str]:
    """Repeat every draw or move from its stored input; return messages about differences.

    Raises UnreadableDrive if the file has no secret.
    """
    if drive_file.draws and not drive_file.secret:
        raise UnreadableDrive(_("secret: missing. It’s in the file once the drive is closed."))
    round_by_number = {
        round_.number: SeatedRound(tuple(round_.tables.values()), round_.rest)
        for round_ in drive_file.all_rounds
    }
    message = _("Round %(round)s: the seats don’t match the secret.")
    return [
        message % {"round": round_number}
        for draw in drive_file.draws
        for round_number in _list_differing_rounds(drive_file, draw, round_by_number)
    ]


def _list_differing_rounds(
    drive_file: DriveFile, draw: DriveFileDraw, round_by_number: dict[int, SeatedRound]
) -> list[int]:
    if draw.draw_input is None:
        return []
    played_rounds = [
        round_
        for round_number, round_ in sorted(round_by_number.items())
        if round_number < draw.first_round
    ]
    recomputed_rounds = seat_rounds(
        drive_file.form, drive_file.terms, draw.draw_input, drive_file.secret, played_rounds
    ).rounds
    return [
        round_number
        for round_number in draw.rounds
        if not 0 <= round_number - draw.first_round < len(recomputed_rounds)
        or _build_comparable_seats(recomputed_rounds[round_number - draw.first_round])
        != _build_comparable_seats(round_by_number.get(round_number))
    ]


def _build_comparable_seats(seated_round: SeatedRound | None) -> object:
    return seated_round and (seated_round.tables, sorted(seated_round.resting_players, key=str))
