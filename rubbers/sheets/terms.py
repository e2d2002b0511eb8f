"""The form fields with which a club changes terms of a code.

A term has the code's value if its field is empty.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rubbers.rubber.codes import LAW_CODES_BY_NAME, LawCode
from rubbers.rubber.terms import build_terms_data

LabelText = str | Promise
NUMBER_CHOICE, NO_VALUE_CHOICE = "number", "none"


@dataclass(frozen=True, slots=True)
class TermSpec:
    """The name, label and choices of a term in a form; a term without choices is a number."""

    name: str
    """The key of the term in files and in the database."""
    label: LabelText
    choices: tuple[tuple[str, LabelText], ...] = ()
    no_value_label: LabelText = ""
    """The label of the choice of no value, e.g. "no rubbers"; "" if a value is required."""


_YES_NO_CHOICES = (("true", gettext_lazy("yes")), ("false", gettext_lazy("no")))
TERM_SPECS = (
    TermSpec("game", gettext_lazy("Points for a game")),
    TermSpec("trick", gettext_lazy("Points per trick over six")),
    TermSpec("four_honours", gettext_lazy("Points for four honours")),
    TermSpec("three_honours", gettext_lazy("Points for three honours")),
    TermSpec(
        "honours_bar",
        gettext_lazy("Score at which honours stop counting"),
        no_value_label=gettext_lazy("honours always count"),
    ),
    TermSpec(
        "first",
        gettext_lazy("Counted first after revokes"),
        (("tricks", gettext_lazy("tricks")), ("honours", gettext_lazy("honours"))),
    ),
    TermSpec(
        "worth",
        gettext_lazy("Value of a game"),
        (
            ("treble", gettext_lazy("3, 2 or 1")),
            ("margin", gettext_lazy("game points minus losers’ score")),
            ("games", gettext_lazy("games are counted")),
        ),
    ),
    TermSpec(
        "best_of",
        gettext_lazy("Maximum games in a rubber"),
        no_value_label=gettext_lazy("no rubbers"),
    ),
    TermSpec("bonus", gettext_lazy("Points for the rubber")),
    TermSpec("losers_off", gettext_lazy("Subtract the losers’ games"), _YES_NO_CHOICES),
    TermSpec(
        "penalties",
        gettext_lazy("Penalty for a revoke"),
        (
            ("tricks,minus,plus", gettext_lazy("other side’s choice")),
            ("tricks", gettext_lazy("tricks")),
            ("minus", gettext_lazy("lose points")),
            ("plus", gettext_lazy("points for the other side")),
        ),
    ),
    TermSpec("penalty_tricks", gettext_lazy("Tricks per revoke")),
    TermSpec("penalty_points", gettext_lazy("Points per revoke")),
    TermSpec(
        "revokers_may_win", gettext_lazy("Revoking side may win by that hand"), _YES_NO_CHOICES
    ),
    TermSpec(
        "both_revoke",
        gettext_lazy("If both sides revoke"),
        (
            ("each", gettext_lazy("both are penalised")),
            ("cancel", gettext_lazy("they cancel out")),
        ),
    ),
    TermSpec(
        "made_tricks_count",
        gettext_lazy("A side that revokes and loses still scores its tricks"),
        _YES_NO_CHOICES,
    ),
    TermSpec(
        "calling_at",
        gettext_lazy("Honours may be called at"),
        no_value_label=gettext_lazy("never"),
    ),
    TermSpec(
        "unfinished",
        gettext_lazy("Unfinished rubber"),
        (
            ("difference", gettext_lazy("games won so far count")),
            ("void", gettext_lazy("doesn’t count")),
        ),
    ),
    TermSpec(
        "goes_out",
        gettext_lazy("Players go out after"),
        (("rubber", gettext_lazy("a rubber")), ("game", gettext_lazy("a game"))),
    ),
)


@dataclass(frozen=True, slots=True)
class RubberTermField:
    """The form field of a term.

    `law_code_value` is the code's value as a text for users; `value` is the club's change as a
    form value, or "".
    """

    spec: TermSpec
    law_code_value: str
    value: str


def build_term_fields(code: str, term_changes: Mapping[str, Any]) -> list[RubberTermField]:
    """Return the form fields of all terms, with the code's values and the club's changes."""
    values_by_term = (
        build_terms_data(LAW_CODES_BY_NAME[code].terms) if code in LAW_CODES_BY_NAME else {}
    )
    return [
        RubberTermField(
            spec,
            format_term_value(spec, values_by_term[spec.name]) if values_by_term else "",
            format_form_value(term_changes[spec.name]) if spec.name in term_changes else "",
        )
        for spec in TERM_SPECS
    ]


def format_term_value(spec: TermSpec, value: Any) -> str:
    """Return the value of a term as a text for users."""
    if value is None:
        return str(spec.no_value_label)
    return str(dict(spec.choices).get(format_form_value(value), value))


def format_form_value(value: Any) -> str:
    """Return the value of a term as the form posts it."""
    if value is None:
        return NO_VALUE_CHOICE
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def parse_terms(form_data: Mapping[str, str]) -> dict[str, Any]:
    """Parse the terms in a posted form; invalid values are refused later, by the services."""
    terms: dict[str, Any] = {}
    for spec in TERM_SPECS:
        field_text = form_data.get(f"term-{spec.name}", "").strip()[:40]
        if not field_text:
            continue
        if spec.name == "penalties":
            terms[spec.name] = field_text.split(",")
        elif field_text in ("true", "false"):
            terms[spec.name] = field_text == "true"
        elif field_text == NO_VALUE_CHOICE:
            terms[spec.name] = None
        elif not spec.choices and field_text.isascii() and field_text.isdigit():
            terms[spec.name] = int(field_text)
        else:
            terms[spec.name] = field_text
    return terms


def describe_term_changes(code: LawCode, term_changes: Mapping[str, Any]) -> list[str]:
    """Describe each term that a club has changed from the code."""
    values_by_term = build_terms_data(code.terms)
    return [
        _("%(term)s: %(value)s")
        % {"term": spec.label, "value": format_term_value(spec, term_changes[spec.name])}
        for spec in TERM_SPECS
        if spec.name in term_changes
        and format_form_value(term_changes[spec.name])
        != format_form_value(values_by_term[spec.name])
    ]
