"""The formatting of an activity's history: one line of text for each act."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.models import Act
from clubs.undo import list_undoable_act_pks
from server.dates import format_date

TitlesByAction = Mapping[str, str | Promise]

CHECK_IN_TITLES: TitlesByAction = {
    "check_in.cancelled": gettext_lazy("Check-in cancelled"),
    "check_in.left": gettext_lazy("Removed from check-in"),
    "check_in.merged": gettext_lazy("Two names merged"),
    "check_in.moved": gettext_lazy("Seat changed at check-in"),
    "check_in.opened": gettext_lazy("Check-in opened"),
    "check_in.put_back": gettext_lazy("Check-in changed"),
    "check_in.renamed": gettext_lazy("Name corrected at check-in"),
    "check_in.sat": gettext_lazy("Checked in"),
    "check_in.started": gettext_lazy("Started from check-in"),
}
"""The titles of check-in acts, by action code; the history of events uses them too."""

SHARED_TITLES: TitlesByAction = {
    **CHECK_IN_TITLES,
    "clock.changed": gettext_lazy("Clock"),
    "link.revoked": gettext_lazy("Table QR code cancelled"),
    "links.made": gettext_lazy("QR codes created"),
    "links.revoked": gettext_lazy("QR codes cancelled"),
}
"""The titles, by action code, of the acts that every kind of activity records."""

_LOCATION_TITLES = {
    "round": gettext_lazy("round %(value)s"),
    "table": gettext_lazy("table %(value)s"),
    "spell": gettext_lazy("partnership %(value)s"),
    "tables": gettext_lazy("tables %(value)s"),
    "hand": gettext_lazy("hand %(value)s"),
    "number": gettext_lazy("player %(value)s"),
    "player": gettext_lazy("player %(value)s"),
    "players": gettext_lazy("players %(value)s"),
    "part": gettext_lazy("part %(value)s"),
    "prize": gettext_lazy("prize %(value)s"),
    "name": gettext_lazy("“%(value)s”"),
}
"""The texts for the changed part of an activity, by its key in `Act.where`."""

_CLOCK_TITLES: TitlesByAction = {
    "added": gettext_lazy("minutes added: %(minutes)s"),
    "ended": gettext_lazy("round ended"),
    "goes_on": gettext_lazy("continued"),
    "paused": gettext_lazy("paused"),
    "put_back": gettext_lazy("reset"),
    "set": gettext_lazy("%(minutes)s min per round"),
    "set_back": gettext_lazy("stopped"),
    "started": gettext_lazy("started"),
}
"""The descriptions of clock changes, by the code of the change."""


def _format_day(iso_date: str) -> str:
    """Format a recorded date for readers, e.g. 5 May 2026."""
    try:
        return format_date(date.fromisoformat(iso_date), "SHORT_DATE")
    except ValueError:
        return iso_date


_SHARED_FORMATTERS_BY_NAME: Mapping[str, Callable[[Any], str]] = {"date": _format_day}


@dataclass(frozen=True, kw_only=True)
class HistoryFormatter:
    """A formatter that turns the recorded acts of one kind of activity into text."""

    titles_by_action: TitlesByAction
    """The titles of the acts of this kind of activity, by action code."""
    first_round_titles_by_action: TitlesByAction = field(default_factory=dict)
    """The titles of acts whose title differs in round 1, by action code."""
    formatters_by_value_name: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    """The functions that format a recorded value, by the name of the value."""
    location_formatters_by_name: Mapping[str, Callable[[Any, Mapping[str, Any]], str]] = field(
        default_factory=dict
    )
    """The functions that format a recorded value and need its place, e.g. {"table": 3}."""
    describe_author: Callable[[str], str] = audit.describe_author
    """The function that returns the display name for a stored author."""
    format_numbers: Callable[[Sequence[int]], str] = lambda numbers: "–".join(map(str, numbers))
    """The function that formats a list of numbers."""

    def build_lines(self, acts: Sequence[Act]) -> list["ActLine"]:
        """Return one line for each act; `acts` is the whole history, newest first."""
        undoable_act_pks = list_undoable_act_pks(acts)
        undone_act_pks = {act.undoes_id for act in acts}
        return [
            self._build_line(act, act.pk in undoable_act_pks, act.pk in undone_act_pks)
            for act in acts
        ]

    def build_undoable_line(self, act: Act) -> "ActLine":
        """Return the line of an act that can be undone."""
        return self._build_line(act, True, False)

    def format_title_with_location(self, act: Act) -> str:
        """Return the title of an act and its place: "Table score, round 1, table 2, hand 3"."""
        return ", ".join([self._format_title(act), *self._list_locations(act)])

    def _format_title(self, act: Act) -> str:
        titles_by_action = {**SHARED_TITLES, **self.titles_by_action}
        if act.where.get("round") == 1:
            titles_by_action |= self.first_round_titles_by_action
        return str(titles_by_action.get(act.action, act.action))

    def _list_locations(self, act: Act) -> list[str]:
        return [
            str(location_title) % {"value": self._format_value(act.where[name])}
            for name, location_title in _LOCATION_TITLES.items()
            if act.where.get(name)
        ]

    def _build_line(self, act: Act, can_undo: bool, is_undone: bool) -> "ActLine":
        title, locations = self._format_title(act), self._list_locations(act)
        if act.undoes_id is not None:
            title = _("Undone: %(what)s") % {"what": title}
        no_undo_reason = ""
        if is_undone:
            no_undo_reason = _("undone")
        elif not can_undo:
            no_undo_reason = (
                _("can’t be undone")
                if not act.back.get("call")
                else _("undo newer changes first")
            )
        return ActLine(
            act_pk=act.pk,
            recorded_at=act.at,
            author_name=self.describe_author(act.by),
            description=f"{title}: {', '.join(locations)}" if locations else title,
            old_values_text=self._format_values(act.before, act.where),
            new_values_text=self._format_values(act.after, act.where),
            can_undo=can_undo and not is_undone,
            no_undo_reason=no_undo_reason,
        )

    def _format_values(
        self, values_by_name: Mapping[str, Any], act_location: Mapping[str, Any]
    ) -> str:
        return ", ".join(
            self._format_named_value(name, value, act_location)
            for name, value in values_by_name.items()
            if value not in (None, "", [])
        )

    def _format_named_value(
        self, name: str, recorded_value: Any, act_location: Mapping[str, Any]
    ) -> str:
        if name in self.location_formatters_by_name:
            return self.location_formatters_by_name[name](recorded_value, act_location)
        formatters_by_name = {**_SHARED_FORMATTERS_BY_NAME, **self.formatters_by_value_name}
        return formatters_by_name.get(name, self._format_value)(recorded_value)

    def _format_value(self, recorded_value: Any) -> str:
        if isinstance(recorded_value, bool):
            return _("yes") if recorded_value else _("no")
        if isinstance(recorded_value, list):
            is_number_list = all(isinstance(item, int) for item in recorded_value)
            return (
                self.format_numbers(recorded_value)
                if is_number_list
                else "–".join(map(str, recorded_value))
            )
        if isinstance(recorded_value, dict) and recorded_value.get("did") in _CLOCK_TITLES:
            return str(_CLOCK_TITLES[recorded_value["did"]]) % {
                "minutes": recorded_value.get("minutes", "")
            }
        if isinstance(recorded_value, dict):
            return ", ".join(f"{name} {item}" for name, item in recorded_value.items())
        return str(recorded_value)


@dataclass(frozen=True, slots=True)
class ActLine:
    """The texts of one act on the history page."""

    act_pk: int
    recorded_at: datetime
    author_name: str
    description: str
    old_values_text: str
    new_values_text: str
    can_undo: bool
    no_undo_reason: str  # empty if the act can be undone
