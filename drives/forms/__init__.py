"""The registry of forms of a drive: a new form is a record and an entry here."""

from django.utils.translation import gettext as _

from drives.errors import UnplayableDrive
from drives.forms import drawn, moving, together
from drives.forms.form import Form, Known

FORMS: dict[str, Form] = {
    it.code: it
    for it in (
        drawn.SOCIAL,
        drawn.LOT,
        drawn.STANDING,
        moving.SEMI_PARTNER,
        moving.PROGRESSIVE,
        moving.WINNERS_MOVE,
        moving.HEAD_TABLE,
        together.PARTNER,
        together.MILITARY,
        moving.CUT,
    )
}


def form_named(code: object) -> Form:
    """Return the form with a code.

    Raises UnplayableDrive, with the known codes, if no form has this code.
    """
    form = FORMS.get(code) if isinstance(code, str) else None
    if form is None:
        words = _("There is no form “%(form)s”; the forms are %(forms)s.")
        raise UnplayableDrive(words % {"form": code, "forms": ", ".join(FORMS)})
    return form
