"""Verification of a drive's file: its lots and seats are drawn again from its secret."""

from django.utils.translation import gettext as _

from drives.draw.participants import SeatedRound
from drives.errors import UnreadableDrive
from drives.files.drive_file import DriveFile, FiledDraw
from drives.files.standings import compute_awards
from drives.play_forms.rounds import make_rounds
from drives.prizes.lot import compute_commitment


def list_prize_draw_mismatches(drive: DriveFile) -> list[str]:
    """Repeat every lot of a drive and list the differences; an empty list confirms all lots.

    Raises UnreadableDrive where the file has no secret.
    """
    if not drive.secret:
        raise UnreadableDrive(_("secret: missing. The file has one after the close."))
    mismatches = []
    if drive.commitment is not None and drive.commitment != compute_commitment(drive.secret):
        mismatches.append(_("The fingerprint doesn't match this secret."))
    if drive.awards is None:
        return mismatches
    filed_awards = {(award.prize, award.number) for award in drive.awards}
    computed_awards = {(award.prize, award.number) for award in compute_awards(drive)}
    for prize, number in sorted(filed_awards ^ computed_awards, key=str):
        if (prize, number) in filed_awards:
            message = _(
                "Prize %(prize)s: the file gives it to player %(player)s, the draw doesn't."
            )
        else:
            message = _(
                "Prize %(prize)s: the draw gives it to player %(player)s, the file doesn't."
            )
        mismatches.append(message % {"prize": prize, "player": number})
    return mismatches


def list_seating_mismatches(file: DriveFile) -> list[str]:
    """Repeat every draw or move of a round from its stored input, and list the differences.

    Raises UnreadableDrive where the file has no secret.
    """
    if file.draws and not file.secret:
        raise UnreadableDrive(_("secret: missing. The file has one after the close."))
    rounds = {
        all_round.number: SeatedRound(tuple(all_round.tables.values()), all_round.rest)
        for all_round in file.all_rounds
    }
    message = _("Round %(round)s: the secret seats the players differently.")
    return [
        message % {"round": number}
        for draw in file.draws
        for number in _list_differing_rounds(file, draw, rounds)
    ]


def _list_differing_rounds(
    file: DriveFile, draw: FiledDraw, rounds: dict[int, SeatedRound]
) -> list[int]:
    if draw.draw_input is None:
        return []
    played = [round_ for number, round_ in sorted(rounds.items()) if number < draw.first]
    repeated_rounds = make_rounds(
        file.form, file.terms, draw.draw_input, file.secret, played
    ).rounds
    return [
        number
        for number in draw.rounds
        if not 0 <= number - draw.first < len(repeated_rounds)
        or _sort_seats(repeated_rounds[number - draw.first]) != _sort_seats(rounds.get(number))
    ]


def _sort_seats(drawn_round: SeatedRound | None) -> object:
    return drawn_round and (drawn_round.tables, sorted(drawn_round.rest, key=str))
