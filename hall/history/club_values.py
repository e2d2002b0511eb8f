"""The translated texts for the values that acts of a club record."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date as Date
from datetime import time
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.evenings.money import format_amount
from clubs.models import Attendance, Club, Consent, Fixture, Player
from scoring.methods import map_methods_by_code
from server.dates import format_date
from tournaments.models import Event

Formatter = Callable[[Any], str]


def format_choice(codes: type[models.TextChoices], code: str) -> str:
    """Return the label of a code, or the code itself if no choice has it."""
    return str(codes(code).label) if code in codes.values else str(code)


def format_method(code: str) -> str:
    """Return the title of a scoring method, or the code itself if it is unknown."""
    methods_by_code = map_methods_by_code()
    return methods_by_code[code].label if code in methods_by_code else code


def format_day(iso_date: str) -> str:
    """Return a stored date in the form of the reader's language; "" for an empty value."""
    return format_date(Date.fromisoformat(iso_date), "SHORT_DATE") if iso_date else ""


def _format_start_time(iso_time: str | None) -> str:
    if not iso_time:
        return _("no start time")
    return format_date(time.fromisoformat(iso_time), "TIME")


def _format_first_day(iso_date: str) -> str:
    return _("from %(day)s") % {"day": format_day(iso_date)}


def _format_last_day(iso_date: str) -> str:
    return _("to %(day)s") % {"day": format_day(iso_date)}


def _format_handicap_terms(recorded_terms: Mapping[str, Any] | int | None) -> str:
    """Return a text for the recorded value "terms", which two kinds of acts use.

    A season records its handicap terms. A club records the number of its defaults for drives.
    """
    if isinstance(recorded_terms, int):
        return ngettext("%(count)s default", "%(count)s defaults", recorded_terms) % {
            "count": recorded_terms
        }
    return _("with handicaps") if recorded_terms else _("without handicaps")


def _format_table_count(table_count: int) -> str:
    return ngettext("%(count)s table", "%(count)s tables", table_count) % {"count": table_count}


def _format_evening_count(evening_count: int) -> str:
    return ngettext("%(count)s evening", "%(count)s evenings", evening_count) % {
        "count": evening_count
    }


def _format_switch(is_on: bool) -> str:
    return _("on") if is_on else _("off")


def _build_labelled_formatter(field_name: str, format_value: Formatter) -> Formatter:
    """Return a function that puts the label of a field of `Fixture` before its value."""
    return lambda value: f"{_get_field_label(field_name)}: {format_value(value)}"


def _get_field_label(field_name: str) -> str:
    field = Fixture._meta.get_field(field_name)
    assert isinstance(field, models.Field)
    return str(field.verbose_name)


def _format_yes_or_no(is_true: bool) -> str:
    return _("yes") if is_true else _("no")


def _format_limit(limit: int | None) -> str:
    return _("no limit") if limit is None else str(limit)


def _format_language(code: str) -> str:
    return str(dict(settings.LANGUAGES).get(code, code)) or _("the server’s language")


def _format_grade_visibility(code: str) -> str:
    """Return who sees grades; this package does not import `seasons`, which has the choices."""
    texts_by_code = {
        "self": _("only the player, on their own page"),
        "members": _("members, on their own pages"),
        "all": _("everyone, on the players’ pages"),
    }
    return texts_by_code.get(code, code)


def _format_detail_names(detail_keys: Sequence[str]) -> str:
    """Return the names of the personal details that an act changed.

    The history never stores their values.
    """
    labels_by_purpose = {purpose.value: purpose.label for purpose in Consent.ConsentPurpose}
    labels_by_field_name = {field.name: field.verbose_name for field in Player._meta.fields}
    labels_by_key = labels_by_field_name | labels_by_purpose
    return ", ".join(
        str(labels_by_key.get(detail_key, detail_key)) for detail_key in detail_keys
    )


def format_fees(act_values: Mapping[str, Any], currency: str) -> list[str]:
    """Return the changed fees of an announced evening, each with its label."""
    return [
        f"{_get_field_label(field_name)}: {format_amount(act_values[field_name], currency)}"
        for field_name in FEE_NAMES
        if field_name in act_values
    ]


FEE_NAMES = ("fee_member", "fee_visitor", "fee_junior")
"""The values in the club's currency; they are stored in the smallest coin."""

CLUB_VALUE_FORMATTERS: Mapping[str, Formatter] = {
    "title": str,
    "date": format_day,
    "first": _format_first_day,
    "last": _format_last_day,
    "start": _format_start_time,
    "place": lambda place: str(place) or _("no place"),
    "minutes": _build_labelled_formatter("minutes", str),
    "contest": lambda contest: format_choice(Event.Contest, contest),
    "books": _build_labelled_formatter("books", _format_yes_or_no),
    "guests": _build_labelled_formatter("guests", _format_yes_or_no),
    "unit": _build_labelled_formatter("unit", lambda unit: format_choice(Fixture.Unit, unit)),
    "places": _build_labelled_formatter("places", _format_limit),
    "opens_days": _build_labelled_formatter("opens_days", str),
    "closes_hours": _build_labelled_formatter("closes_hours", str),
    "evenings": _format_evening_count,
    "tables": _format_table_count,
    "settled": lambda code: format_choice(Attendance.Settlement, code),
    "kind": lambda code: format_choice(Attendance.Kind, code),
    "terms": _format_handicap_terms,
    "a_board": lambda handicap: (
        _("%(handicap)s per board") % {"handicap": handicap} if handicap else _("no handicap")
    ),
    "event": str,
    "year": str,
    "version": lambda number: _("version %(number)s") % {"number": number},
    "is_on": _format_switch,
    "seen": _format_grade_visibility,
    "short_name": str,
    "accent": lambda code: format_choice(Club.AccentColour, code),
    "currency": str,
    "language": _format_language,
    "logo": lambda checksum: _("with a logo") if checksum else _("no logo"),
    "all": lambda is_for_all: _("for all users") if is_for_all else _("for owners"),
    "player": lambda _key: "",  # `Act.where` contains the name
    "to": str,
    "address": str,
    "automatic": lambda is_automatic: _("automatically") if is_automatic else _("manually"),
    "details": _format_detail_names,
}
"""The functions that format the values of a club's acts, by name, in the order of display."""
