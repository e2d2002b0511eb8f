"""A drive's lots drawn again: what its file says against what its secret gives."""

from boards.whist.words import gettext as _
from drives.errors import UnreadableDrive
from drives.files.drive_file import DriveFile
from drives.files.standings import awards_of
from drives.prizes.lot import commitment


def differences(drive: DriveFile) -> list[str]:
    """Draw every lot of a drive again and name what does not agree; nothing proves them all.

    Raises UnreadableDrive where the file has no secret.
    """
    if not drive.secret:
        raise UnreadableDrive(_("secret: the file has none; it has one after the close."))
    found = []
    if drive.commitment is not None and drive.commitment != commitment(drive.secret):
        found.append(_("The commitment is not that of this secret."))
    if drive.awards is None:
        return found
    said = {(award.prize, award.number) for award in drive.awards}
    drawn = {(award.prize, award.number) for award in awards_of(drive)}
    for prize, number in sorted(said ^ drawn, key=str):
        if (prize, number) in said:
            words = _("Prize %(prize)s: the secret does not give it to %(player)s.")
        else:
            words = _("Prize %(prize)s: the secret gives it to %(player)s, the file does not.")
        found.append(words % {"prize": prize, "player": number})
    return found
