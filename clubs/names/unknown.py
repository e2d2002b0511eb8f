"""A partner with an unknown name: entered as "?", shown as "Partner of Nora Moore".

Such an entry plays and is ranked, but the partner is not a person: no page, ladder or grade.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from clubs.names.people import is_person_name

MAX_NAME_LENGTH = 80


def format_unknown_partner() -> str:
    """Return the text that pages and papers show for an unknown partner."""
    return _("a partner")


def build_unknown_partner_name(name: str) -> str:
    """Return the name of a player's unknown partner."""
    return (_("Partner of %(name)s") % {"name": name})[:MAX_NAME_LENGTH]


def is_unknown_partner(name: str) -> bool:
    """Return whether a name is that of an unknown partner."""
    return name.startswith(_("Partner of %(name)s") % {"name": ""})


def replace_unknown_partner(names: Sequence[str]) -> list[str]:
    """Replace "?" in a pair of two names by "Partner of …"; other names stay as they are."""
    if len(names) != 2:
        return list(names)
    first, second = names
    if first and is_person_name(second) and not is_person_name(first):
        return [build_unknown_partner_name(second), second]
    if second and is_person_name(first) and not is_person_name(second):
        return [first, build_unknown_partner_name(first)]
    return list(names)
