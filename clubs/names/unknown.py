"""A partner with an unknown name: entered as "?", shown as "Partner of Nora Moore".

Such an entry plays and is ranked, but the partner is not a person: no page, ladder or grade.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from clubs.names.people import names_someone

MAX_NAME_LENGTH = 80


def shown_partner() -> str:
    """Return the text that pages and papers show for an unknown partner."""
    return _("a partner")


def partner_of(name: str) -> str:
    """Return the name of a player's unknown partner."""
    return (_("Partner of %(name)s") % {"name": name})[:MAX_NAME_LENGTH]


def is_unknown_partner(name: str) -> bool:
    """Return whether a name is that of an unknown partner."""
    return name.startswith(_("Partner of %(name)s") % {"name": ""})


def call_unknown_partner(names: Sequence[str]) -> list[str]:
    """Replace "?" in a pair of two names by "Partner of …"; other names stay as they are."""
    if len(names) != 2:
        return list(names)
    first, second = names
    if first and names_someone(second) and not names_someone(first):
        return [partner_of(second), second]
    if second and names_someone(first) and not names_someone(second):
        return [first, partner_of(first)]
    return list(names)
