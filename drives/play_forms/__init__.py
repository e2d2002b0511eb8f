"""The registry of play forms: the ways in which players move from round to round.

To add a play form, write a `DriveForm` and add it to `PLAY_FORMS`.
"""

from django.utils.translation import gettext as _

from drives.errors import UnplayableDrive
from drives.play_forms import drawn_forms, moving_forms, partner_forms
from drives.play_forms.play_form import DriveForm, SeatingTime

PLAY_FORMS: dict[str, DriveForm] = {
    play_form.code: play_form
    for play_form in (
        drawn_forms.SOCIAL_PLAY_FORM,
        drawn_forms.LOT_PLAY_FORM,
        drawn_forms.STANDINGS_PLAY_FORM,
        moving_forms.SEMI_PARTNER_PLAY_FORM,
        moving_forms.PROGRESSIVE_PLAY_FORM,
        moving_forms.WINNERS_MOVE_PLAY_FORM,
        moving_forms.HEAD_TABLE_PLAY_FORM,
        partner_forms.PARTNER_PLAY_FORM,
        partner_forms.MILITARY_PLAY_FORM,
        moving_forms.CUT_PLAY_FORM,
    )
}


def find_play_form(code: object) -> DriveForm:
    """Return the play form with a code.

    Raises UnplayableDrive with the known codes if no play form has this code.
    """
    play_form = PLAY_FORMS.get(code) if isinstance(code, str) else None
    if play_form is None:
        message = _("Type of drive “%(form)s” not found. Choose from %(forms)s.")
        raise UnplayableDrive(message % {"form": code, "forms": ", ".join(PLAY_FORMS)})
    return play_form
