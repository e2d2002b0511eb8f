"""Every form of a drive: one file, and one line here."""

from django.utils.translation import gettext as _

from drives.errors import UnplayableDrive
from drives.forms import (
    cut,
    head_table,
    lot,
    military,
    partner,
    progressive,
    semi_partner,
    social,
    standing,
    winners_move,
)
from drives.forms.form import Form, Known

FORMS: dict[str, Form] = {
    it.code: it
    for it in (
        social.FORM,
        lot.FORM,
        standing.FORM,
        semi_partner.FORM,
        progressive.FORM,
        winners_move.FORM,
        head_table.FORM,
        partner.FORM,
        military.FORM,
        cut.FORM,
    )
}


def form_named(code: object) -> Form:
    """Find a form by its code; UnplayableDrive names those there are."""
    form = FORMS.get(code) if isinstance(code, str) else None
    if form is None:
        words = _("There is no form “%(form)s”; the forms are %(forms)s.")
        raise UnplayableDrive(words % {"form": code, "forms": ", ".join(FORMS)})
    return form
