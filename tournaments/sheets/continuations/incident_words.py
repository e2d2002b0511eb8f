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
    incident_kind = str(incident.get("kind", ""))
    return (
        _INCIDENT_FORMATTERS[incident_kind](incident)
        if incident_kind in _INCIDENT_FORMATTERS
        else incident_kind
    )


def _describe_late_arrival(incident: IncidentData) -> str:
    *other_names, last_name = incident["names"]
    return _("%(who)s arrived late, in time for round %(round)s.") % {
        "who": f"{', '.join(other_names)} & {last_name}" if other_names else last_name,
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


def _describe_wrong_directions(incident: IncidentData) -> str:
    placeholders = {"table": _format_table(incident), "rounds": _format_rounds(incident)}
    return _("Table %(table)s played the wrong way round %(rounds)s.") % placeholders


def _describe_wrong_boards(incident: IncidentData) -> str:
    placeholders = {
        "table": _format_table(incident),
        "boards": incident["boards"],
        "round": incident["round"],
    }
    return _("Table %(table)s played boards %(boards)s in round %(round)s.") % placeholders


def _describe_exchanged_entries(incident: IncidentData) -> str:
    return _("%(one)s and %(other)s swapped tables %(rounds)s.") % {
        "one": _format_entry(incident, "one"),
        "other": _format_entry(incident, "other"),
        "rounds": _format_rounds(incident),
    }


_INCIDENT_FORMATTERS: dict[str, Callable[[IncidentData], str]] = {
    "boards": _describe_wrong_boards,
    "drawn": _describe_round_drawn,
    "exchanged": _describe_exchanged_entries,
    "late": _describe_late_arrival,
    "left": _describe_withdrawal,
    "turned": _describe_wrong_directions,
}


def _format_table(incident: IncidentData) -> str:
    return format_table(incident["table"], incident.get("section", ""))


def _format_entry(incident: IncidentData, data_key: str) -> str:
    """Return an entry as text: its place and name, or its number and name."""
    entry_data, section_letter = incident[data_key], incident.get("section", "")
    has_place = "place" in entry_data
    entry_label = (
        format_place_for_players(f"{section_letter}{entry_data['place']}")
        if has_place
        else entry_data["number"]
    )
    return f"{entry_label}: {entry_data['name']}"


def _format_rounds(incident: IncidentData) -> str:
    first_round, last_round = incident["first"], incident["last"]
    if first_round == last_round:
        return _("in round %(round)s") % {"round": first_round}
    return _("in rounds %(first)s–%(last)s") % {"first": first_round, "last": last_round}
