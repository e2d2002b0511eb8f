"""How an event is scored, in words, from the terms that its history keeps."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from scoring.methods.ties import TIE_BREAKS
from tournaments.models import Event


def terms_in_words(terms: Mapping[str, Any]) -> str:
    """Say how an event is scored, from what `services.terms.terms_of` has written down."""
    parts = [_label(Event.Method, terms.get("method", ""))]
    tie_breaks = terms.get("tie_breaks", ())
    parts += [str(TIE_BREAKS[name].title) for name in tie_breaks if name in TIE_BREAKS]
    if terms.get("whole_averages"):
        parts.append(_("averages to the nearest whole trick"))
    if terms.get("carry_over", "1") != "1":
        parts.append(_("%(part)s carried over") % {"part": terms["carry_over"]})
    if terms.get("revokes_read", Event.Revokes.KEPT) != Event.Revokes.KEPT:
        words = _("tricks won before a revoke %(how)s")
        parts.append(words % {"how": _label(Event.Revokes, terms["revokes_read"])})
    for number in terms.get("across", ()):
        parts.append(_("session %(number)s across sections") % {"number": number})
    return "; ".join(parts)


def _label(codes: type[Event.Method] | type[Event.Revokes], code: str) -> str:
    return str(codes(code).label) if code in codes else code
