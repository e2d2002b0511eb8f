"""The scoring of an event in words, from the terms in its history."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from scoring.methods import map_methods_by_code
from scoring.methods.tie_breaks import map_tie_break_titles
from scoring.models import Terms


def describe_terms(terms: Mapping[str, Any]) -> str:
    """Describe the scoring of an event, from the data of `build_terms_arguments`."""
    code = terms.get("method", "")
    methods_by_code = map_methods_by_code()
    parts = [methods_by_code[code].label if code in methods_by_code else code]
    tie_breaks = terms.get("tie_breaks", ())
    tie_break_titles = map_tie_break_titles(in_points=bool(terms.get("most_points")))
    parts += [tie_break_titles[name] for name in tie_breaks if name in tie_break_titles]
    plain = {
        "by_corrected": _("ranked by the corrected total"),
        "whole_averages": _("averages rounded to whole tricks"),
    }
    parts += [text for name, text in plain.items() if terms.get(name)]
    if terms.get("most_points"):
        text = _("points, at most %(most)s per side on a board")
        parts.append(text % {"most": terms["most_points"]})
    if terms.get("carry_over", "1") != "1":
        parts.append(_("%(part)s carried forward") % {"part": terms["carry_over"]})
    if terms.get("revokes_read", Terms.Revokes.KEPT) != Terms.Revokes.KEPT:
        text = _("tricks won before a revoke %(how)s")
        parts.append(text % {"how": _get_label(Terms.Revokes, terms["revokes_read"])})
    if terms.get("unequal_boards", Terms.Unequal.PER_BOARD) != Terms.Unequal.PER_BOARD:
        parts.append(_("unequal boards ranked by total score"))
    if terms.get("totals_grow", Terms.Growth.ROUNDS) != Terms.Growth.ROUNDS:
        parts.append(_("live standings after every score"))
    for number in terms.get("across", ()):
        parts.append(_("session %(number)s ranked across sections") % {"number": number})
    return "; ".join(parts)


def _get_label(codes: type[Terms.Revokes], code: str) -> str:
    return str(codes(code).label) if code in codes else code
