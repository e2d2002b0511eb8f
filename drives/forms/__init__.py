"""Every form of a drive: one record, and one line here."""

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
    """Find a form by its code; UnplayableDrive names those there are."""
    form = FORMS.get(code) if isinstance(code, str) else None
    if form is None:
        words = _("There is no form “%(form)s”; the forms are %(forms)s.")
        raise UnplayableDrive(words % {"form": code, "forms": ", ".join(FORMS)})
    return form
