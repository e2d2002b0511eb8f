"""Describes the scoring terms of an event in words, e.g. for the history."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from scoring.methods import map_methods_by_code
from scoring.methods.tie_breaks import map_tie_break_titles
from scoring.models import Terms


def describe_terms(terms_data: Mapping[str, Any]) -> str:
    """Describe the scoring of an event, from the data of `build_terms_arguments`."""
    method_code = terms_data.get("method", "")
    methods_by_code = map_methods_by_code()
    phrases = [
        methods_by_code[method_code].label if method_code in methods_by_code else method_code
    ]
    tie_breaks = terms_data.get("tie_breaks", ())
    titles_by_tie_break = map_tie_break_titles(is_in_points=bool(terms_data.get("most_points")))
    phrases += [
        titles_by_tie_break[tie_break]
        for tie_break in tie_breaks
        if tie_break in titles_by_tie_break
    ]
    phrase_by_term_name = {
        "by_corrected": _("ranked by the corrected total"),
        "whole_averages": _("averages rounded to whole tricks"),
    }
    phrases += [
        phrase for term_name, phrase in phrase_by_term_name.items() if terms_data.get(term_name)
    ]
    if terms_data.get("most_points"):
        template = _("points, at most %(most)s per side on a board")
        phrases.append(template % {"most": terms_data["most_points"]})
    if terms_data.get("carry_over", "1") != "1":
        phrases.append(_("%(part)s carried forward") % {"part": terms_data["carry_over"]})
    if (
        terms_data.get("revokes_read", Terms.RevokeReading.KEEP_TRICKS_ABOVE_AVERAGE)
        != Terms.RevokeReading.KEEP_TRICKS_ABOVE_AVERAGE
    ):
        template = _("tricks won before a revoke %(how)s")
        phrases.append(
            template % {"how": _get_label(Terms.RevokeReading, terms_data["revokes_read"])}
        )
    if (
        terms_data.get("unequal_boards", Terms.UnequalBoardsScore.PER_BOARD)
        != Terms.UnequalBoardsScore.PER_BOARD
    ):
        phrases.append(_("unequal boards ranked by total score"))
    if (
        terms_data.get("totals_grow", Terms.TotalsUpdateTime.AFTER_EACH_ROUND)
        != Terms.TotalsUpdateTime.AFTER_EACH_ROUND
    ):
        phrases.append(_("live standings after every score"))
    for session_number in terms_data.get("across", ()):
        phrases.append(
            _("session %(number)s ranked across sections") % {"number": session_number}
        )
    return "; ".join(phrases)


def _get_label(choices: type[Terms.RevokeReading], code: str) -> str:
    return str(choices(code).label) if code in choices else code
