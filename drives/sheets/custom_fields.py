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
    terms: Mapping[str, Any], play_form: DriveForm | None = None
) -> list[TermField]:
    """Return the HTML fields for the terms of a play form or, if it is None, for all terms.

    The empty choice means the default of the play form.
    """
    fields = []
    for name, field_label, choices in _list_term_choices():
        if play_form is not None and name not in (TIES_TERM, BELL_TERM, *play_form.terms):
            continue
        if play_form is not None and play_form.seating_time is not SeatingTime.AFTER_RESULT:
            continue
        current_value = _format_form_value(terms[name]) if name in terms else ""
        default_text = "" if play_form is None else _format_default(play_form, name, choices)
        fields.append(
            TermField(
                name,
                field_label,
                tuple(
                    (
                        value,
                        choice_label + default_text if not value else choice_label,
                        value == current_value,
                    )
                    for value, choice_label in choices
                ),
            )
        )
    return fields


def parse_terms(form_input: Mapping[str, str]) -> dict[str, Any]:
    """Parse posted fields such as `term-first`; terms with an empty field are omitted."""
    terms: dict[str, Any] = {}
    for name, _label, choices in _list_term_choices():
        value = form_input.get(f"term-{name}", "")
        if value and value in dict(choices):
            terms[name] = _parse_value(name, value)
    return terms


def has_term_fields(form_input: Mapping[str, str]) -> bool:
    """Return whether the posted HTML form contains fields for terms."""
    return any(f"term-{name}" in form_input for name, _label, _choices in _list_term_choices())


def _list_term_choices() -> list[tuple[str, str, list[tuple[str, str]]]]:
    default_choice = ("", _("standard"))
    steps = [
        default_choice,
        *(
            (str(step), _format_steps(step))
            for step in range(MAX_OFFERED_STEPS, -MAX_OFFERED_STEPS - 1, -1)
            if step
        ),
    ]
    return [
        (
            "moves",
            _("Moving players"),
            [default_choice, ("losers", _("losers")), ("winners", _("winners"))],
        ),
        ("first", _("1st players (ladies) move"), steps),
        ("second", _("2nd players (gents) move"), steps),
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


def _format_form_value(value: object) -> str:
    return "-" if value is None else "" if value == TieRule.LOT else str(value)


def _parse_value(name: str, text: str) -> Any:
    if name in ("first", "second"):
        return int(text)
    return None if text == "-" else text


def list_titles_of_forms_with_terms() -> list[str]:
    """Return the titles of the play forms that have settings."""
    return [str(play_form.title) for play_form in PLAY_FORMS.values() if play_form.terms]
