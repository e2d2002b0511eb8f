"""The description of an incident during play, from the data stored with the change of seats."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournaments.movements.formatting import format_place_for_players, format_table

IncidentData = Mapping[str, Any]


def describe_incident(incident: IncidentData) -> str:
    """Return a sentence that describes an incident; for an unknown kind, return the kind.

    The data are {"kind": "late", "names", "round"}, {"kind": "left", "who", "round"}, {"kind":
    "turned", "table", "first", "last"}, {"kind": "boards", "table", "round", "boards"},
    {"kind": "exchanged", "one", "other", "first", "last"} or {"kind": "drawn", "round"}. An
    entry is {"place" or "number", "name"}. If the session has several sections, "section" is
    included. A newer version may have stored an unknown kind.
    """
    kind = str(incident.get("kind", ""))
    return _SENTENCES[kind](incident) if kind in _SENTENCES else kind


def _describe_late(incident: IncidentData) -> str:
    *other_names, last = incident["names"]
    return _("%(who)s arrived late, in time for round %(round)s.") % {
        "who": f"{', '.join(other_names)} & {last}" if other_names else last,
        "round": incident["round"],
    }


def _describe_withdrawal(incident: IncidentData) -> str:
    placeholders = {"who": _format_entry(incident, "who"), "round": incident["round"]}
    return _("%(who)s withdrew before round %(round)s.") % placeholders


def _describe_round_drawn(incident: IncidentData) -> str:
    if incident.get("section"):
        message = _("Round %(round)s of section %(section)s was drawn.")
        return message % {"round": incident["round"], "section": incident["section"]}
    return _("Round %(round)s was drawn.") % {"round": incident["round"]}


def _describe_turned(incident: IncidentData) -> str:
    placeholders = {"table": _format_table(incident), "rounds": _format_rounds(incident)}
    return _("Table %(table)s played the wrong way round %(rounds)s.") % placeholders


def _describe_boards(incident: IncidentData) -> str:
    placeholders = {
        "table": _format_table(incident),
        "boards": incident["boards"],
        "round": incident["round"],
    }
    return _("Table %(table)s played boards %(boards)s in round %(round)s.") % placeholders


def _describe_exchanged(incident: IncidentData) -> str:
    return _("%(one)s and %(other)s swapped tables %(rounds)s.") % {
        "one": _format_entry(incident, "one"),
        "other": _format_entry(incident, "other"),
        "rounds": _format_rounds(incident),
    }


_SENTENCES: dict[str, Callable[[IncidentData], str]] = {
    "boards": _describe_boards,
    "drawn": _describe_round_drawn,
    "exchanged": _describe_exchanged,
    "late": _describe_late,
    "left": _describe_withdrawal,
    "turned": _describe_turned,
}


def _format_table(incident: IncidentData) -> str:
    return format_table(incident["table"], incident.get("section", ""))


def _format_entry(incident: IncidentData, name: str) -> str:
    """Return an entry as text: its place and name, or its number and name."""
    somebody, letter = incident[name], incident.get("section", "")
    is_seat = "place" in somebody
    place = (
        format_place_for_players(f"{letter}{somebody['place']}")
        if is_seat
        else somebody["number"]
    )
    return f"{place}: {somebody['name']}"


def _format_rounds(incident: IncidentData) -> str:
    first, last = incident["first"], incident["last"]
    if first == last:
        return _("in round %(round)s") % {"round": first}
    return _("in rounds %(first)s to %(last)s") % {"first": first, "last": last}
