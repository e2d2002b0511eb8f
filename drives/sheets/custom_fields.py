"""Builds and reads the HTML fields for the settings of a play form, e.g. who moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.drive_results import BELL_AT_ANY_TABLE, BELL_AT_HEAD_TABLE, BELL_BY_CLOCK
from drives.play_forms import PLAY_FORMS, SeatingTime
from drives.play_forms.play_form import DriveForm
from drives.play_forms.rounds import BELL_TERM
from drives.play_forms.ties import TIES_TERM, TieRule

MAX_OFFERED_STEPS = 3
"""The maximum number of tables up or down in the list of choices; files may have more."""


@dataclass(frozen=True, slots=True)
class TermField:
    """An HTML field for a term. Its choices are tuples of value, label and "is selected"."""

    name: str
    label: str
    choices: tuple[tuple[str, str, bool], ...]


def build_term_fields(
    term_values: Mapping[str, Any], play_form: DriveForm | None = None
) -> list[TermField]:
    """Return the HTML fields for the terms of a play form or, if it is None, for all terms.

    The empty choice means the default of the play form.
    """
    term_fields = []
    for name, field_label, choices in _list_term_choices():
        if play_form is not None and name not in (TIES_TERM, BELL_TERM, *play_form.terms):
            continue
        if play_form is not None and play_form.seating_time is not SeatingTime.AFTER_RESULT:
            continue
        current_value = _format_form_value(term_values[name]) if name in term_values else ""
        default_text = "" if play_form is None else _format_default(play_form, name, choices)
        term_fields.append(
            TermField(
                name,
                field_label,
                tuple(
                    (
                        choice_value,
                        choice_label + default_text if not choice_value else choice_label,
                        choice_value == current_value,
                    )
                    for choice_value, choice_label in choices
                ),
            )
        )
    return term_fields


def parse_terms(form_input: Mapping[str, str]) -> dict[str, Any]:
    """Parse posted fields such as `term-first`; terms with an empty field are omitted."""
    term_values: dict[str, Any] = {}
    for name, _label, choices in _list_term_choices():
        posted_value = form_input.get(f"term-{name}", "")
        if posted_value and posted_value in dict(choices):
            term_values[name] = _parse_term_value(name, posted_value)
    return term_values


def has_term_fields(form_input: Mapping[str, str]) -> bool:
    """Return whether the posted HTML form contains fields for terms."""
    return any(f"term-{name}" in form_input for name, _label, _choices in _list_term_choices())


def _list_term_choices() -> list[tuple[str, str, list[tuple[str, str]]]]:
    default_choice = ("", _("standard"))
    step_choices = [
        default_choice,
        *(
            (str(step_count), _format_steps(step_count))
            for step_count in range(MAX_OFFERED_STEPS, -MAX_OFFERED_STEPS - 1, -1)
            if step_count
        ),
    ]
    return [
        (
            "moves",
            _("Moving players"),
            [default_choice, ("losers", _("losers")), ("winners", _("winners"))],
        ),
        ("first", _("1st players (ladies) move"), step_choices),
        ("second", _("2nd players (gents) move"), step_choices),
        (
            "crosses",
            _("Crossing over"),
            [
                default_choice,
                ("first", _("the 1st")),
                ("second", _("the 2nd")),
                ("-", _("no one")),
            ],
        ),
        (
            TIES_TERM,
            _("Ties"),
            [
                ("", _("random draw")),
                (TieRule.CUT, _("cut cards")),
                (TieRule.NEXT_HAND, _("one more hand, then cut")),
                (TieRule.HALF_POINTS, _("half a game each, cut to move")),
            ],
        ),
        (
            BELL_TERM,
            _("Bell that stops all tables"),
            [
                ("", _("no bell")),
                (BELL_AT_HEAD_TABLE, _("when table 1 finishes")),
                (BELL_AT_ANY_TABLE, _("when the first table finishes")),
                (BELL_BY_CLOCK, _("when time runs out")),
            ],
        ),
    ]


def _format_steps(table_count: int) -> str:
    if table_count > 0:
        message = ngettext("%(n)s table up", "%(n)s tables up", table_count)
    else:
        message = ngettext("%(n)s table down", "%(n)s tables down", -table_count)
    return message % {"n": abs(table_count)}


def _format_default(play_form: DriveForm, name: str, choices: list[tuple[str, str]]) -> str:
    """Return the default of a play form as text, for the label of the empty choice."""
    if name in (TIES_TERM, BELL_TERM):
        return ""
    default_label = dict(choices).get(_format_form_value(play_form.terms[name]), "")
    return f": {default_label}" if default_label else ""


def _format_form_value(term_value: object) -> str:
    return "-" if term_value is None else "" if term_value == TieRule.LOT else str(term_value)


def _parse_term_value(name: str, value_text: str) -> Any:
    if name in ("first", "second"):
        return int(value_text)
    return None if value_text == "-" else value_text


def list_adjustable_form_titles() -> list[str]:
    """Return the titles of the play forms that have settings."""
    return [str(play_form.title) for play_form in PLAY_FORMS.values() if play_form.terms]
