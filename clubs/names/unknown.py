"""The names of unknown partners: entered as "?", shown as "Partner of Nora Moore".

The pair is ranked as usual, but an unknown partner has no personal page, ladder position or
grade.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from clubs.names.people import is_person_name

MAX_NAME_LENGTH = 80


def format_unknown_partner() -> str:
    """Return the text for an unknown partner on pages and papers."""
    return _("a partner")


def build_unknown_partner_name(name: str) -> str:
    """Return the name of the unknown partner of the player with this name."""
    return (_("Partner of %(name)s") % {"name": name})[:MAX_NAME_LENGTH]


def is_unknown_partner(name: str) -> bool:
    """Return whether a name is that of an unknown partner."""
    return name.startswith(_("Partner of %(name)s") % {"name": ""})


def replace_unknown_partner(names: Sequence[str]) -> list[str]:
    """Return a pair's two names with "?" replaced by "Partner of …"."""
    if len(names) != 2:
        return list(names)
    first_player_name, second_player_name = names
    if (
        first_player_name
        and is_person_name(second_player_name)
        and not is_person_name(first_player_name)
    ):
        return [build_unknown_partner_name(second_player_name), second_player_name]
    if (
        second_player_name
        and is_person_name(first_player_name)
        and not is_person_name(second_player_name)
    ):
        return [first_player_name, build_unknown_partner_name(first_player_name)]
    return list(names)
