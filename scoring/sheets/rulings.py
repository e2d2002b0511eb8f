"""Rulings in words, for histories, travellers and the director's panel."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from boards.whist import Card
from clubs.audit import describe_author
from laws.book import format_citation
from scoring.methods.apply_rulings import RuledPlayResult
from scoring.models import Ruling
from server import formatting

LAW_KEY_PATTERN = re.compile(r"[IVX]+(?:\.\d+)?")  # a key of a section of the law book
REVOKE_MARK_TEXTS = {"-R": "−R", "+R": "+R"}  # a true minus sign


@dataclass(frozen=True, slots=True)
class RulingNote:
    """One ruling on a page."""

    pk: int
    text: str
    trumps: str  # the recorded trump and the turn-up, for the director
    made_by: str
    made_at: datetime
    withdrawn_by: str
    withdrawn_at: datetime | None


def describe_ruling(ruling: Ruling) -> str:
    """Describe a ruling in one line: "revoke by N-S (Law X §4): claimed at once"."""
    ruling_text = str(ruling.get_kind_display())
    if ruling.side:
        ruling_text = _("%(kind)s by %(side)s") % {
            "kind": ruling_text,
            "side": ruling.get_side_display(),
        }
    ruling_text += _describe_revoke(ruling)
    if ruling.kind == Ruling.Kind.ADJUSTED:
        ruling_text += _(": N-S %(ns)s, E-W %(ew)s") % {
            "ns": formatting.format_plain(Fraction(ruling.ns_tricks)),
            "ew": formatting.format_plain(Fraction(ruling.ew_tricks)),
        }
    if ruling.amount:
        ruling_text += f" {formatting.format_plain(Fraction(ruling.amount))}"
    if ruling.law:
        ruling_text += f" ({_format_law(ruling.law)})"
    return f"{ruling_text}: {ruling.reason}" if ruling.reason else ruling_text


def describe_recorded_ruling(history_data: Mapping[str, Any]) -> str:
    """Describe a ruling from the data in the history, as it was when made or withdrawn."""
    field_names = {field.name for field in Ruling._meta.concrete_fields}
    field_values = {
        field_name: field_value
        for field_name, field_value in history_data.items()
        if field_name in field_names
    }
    if "claimed_at" in field_values:
        field_values["claimed_at"] = datetime.fromisoformat(field_values["claimed_at"])
    return describe_ruling(Ruling(**field_values))


def _format_law(law: str) -> str:
    """Format a law reference: a section key as the law book cites it, any other text as "Law
    …".
    """
    return (
        format_citation(law)
        if LAW_KEY_PATTERN.fullmatch(law)
        else _("Law %(law)s") % {"law": law}
    )


def _describe_revoke(ruling: Ruling) -> str:
    """Describe how often a side revoked, the enforcement, and the time of the claim."""
    revoke_text = ""
    if ruling.revokes and ruling.revokes > 1:
        revoke_text += _(", %(times)s times") % {"times": ruling.revokes}
    if ruling.full:
        revoke_text += _(", full penalty")
    if ruling.claimed_at is not None:
        claim_time = f"{timezone.localtime(ruling.claimed_at):%H:%M}"
        revoke_text += _(", claimed at %(time)s") % {"time": claim_time}
    return revoke_text


def describe_play_rulings(
    rulings: Iterable[Ruling], ruled_result: RuledPlayResult | None
) -> tuple[str, ...]:
    """Return the rulings on a play as sentences, and whether its value may still change."""
    sentences = [_format_sentence(describe_ruling(ruling)) for ruling in rulings]
    if ruled_result is not None and ruled_result.is_provisional:
        sentences.append(_("Provisional until every table has played this board."))
    if ruled_result is not None and ruled_result.is_confirmation_needed:
        sentences.append(
            _(
                "Both sides revoked. The law doesn’t cover this, so the director confirms "
                "the score."
            )
        )
    if ruled_result is not None and ruled_result.is_void and not sentences:
        sentences.append(_("Void: a redeal was ruled at a later table."))
    return tuple(sentences)


def get_deciding_ruling_kind(
    rulings: Iterable[Ruling], ruled_result: RuledPlayResult | None
) -> str:
    """Return the kind of ruling that decides a play: void, average, adjusted, revoke, or ""."""
    if ruled_result is None:
        return ""
    if ruled_result.is_void:
        return "void"
    ruling_kinds = {ruling.kind for ruling in rulings}
    for ruling_kind in (Ruling.Kind.AVERAGE, Ruling.Kind.ADJUSTED, Ruling.Kind.REVOKE):
        if ruling_kind in ruling_kinds:
            return str(ruling_kind)
    return ""


def format_revoke_marks(ruled_result: RuledPlayResult | None) -> tuple[str, str]:
    """Return the revoke marks next to the two scores: "−R", "+R" (Law X §4)."""
    ns_mark, ew_mark = ruled_result.revoke_marks if ruled_result else ("", "")
    return _format_mark(ns_mark), _format_mark(ew_mark)


def build_ruling_note(ruling: Ruling) -> RulingNote:
    """Return a ruling for the director's panel."""
    return RulingNote(
        pk=ruling.pk,
        text=_format_sentence(describe_ruling(ruling)),
        trumps=_format_trumps(ruling),
        made_by=describe_author(ruling.made_by),
        made_at=ruling.made_at,
        withdrawn_by=describe_author(ruling.withdrawn_by),
        withdrawn_at=ruling.withdrawn_at,
    )


def _format_trumps(ruling: Ruling) -> str:
    if not ruling.trump_recorded and not ruling.trump_turned:
        return ""
    return _("Trump on the slip: %(recorded)s. Trump turned in dealing: %(turned)s.") % {
        "recorded": _format_card(ruling.trump_recorded),
        "turned": _format_card(ruling.trump_turned),
    }


def _format_card(code: str) -> str:
    return Card.parse(code).word if code else _("not known")


def _format_mark(mark_text: str) -> str:
    return " ".join(REVOKE_MARK_TEXTS.get(code, code) for code in mark_text.split())


def _format_sentence(sentence: str) -> str:
    sentence = sentence[:1].upper() + sentence[1:]
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
