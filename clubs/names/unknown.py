"""A partner whose name nobody knows yet: entered as "?", called "Partner of Nora Moore".

Such an entry plays and is ranked, but the partner is no person: no page, no ladder, no grade.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from clubs.names.people import names_someone

MAX_NAME_LENGTH = 80


def shown_partner() -> str:
    """Return what pages and papers show instead of an unknown partner's name."""
    return _("a partner")


def partner_of(name: str) -> str:
    """Return what the unknown partner of a player is called."""
    return (_("Partner of %(name)s") % {"name": name})[:MAX_NAME_LENGTH]


def is_unknown_partner(name: str) -> bool:
    """Return whether a name stands for a partner who is not known yet."""
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
