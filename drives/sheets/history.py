"""The history of a drive in words: every act, and whether it goes back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.models import Act
from clubs.undoing import undoable
from drives.scores.text import score_text
from drives.sheets.act_words import CLOCK

ValueWords = Mapping[str, Callable[[Any], str]]
NO_WORDS: ValueWords = {}
_PLACES = {
    "round": gettext_lazy("round %(value)s"),
    "table": gettext_lazy("table %(value)s"),
    "spell": gettext_lazy("spell %(value)s"),
    "tables": gettext_lazy("tables %(value)s"),
    "hand": gettext_lazy("hand %(value)s"),
    "number": gettext_lazy("player %(value)s"),
    "player": gettext_lazy("player %(value)s"),
    "players": gettext_lazy("players %(value)s"),
    "part": gettext_lazy("part %(value)s"),
    "prize": gettext_lazy("prize %(value)s"),
    "name": gettext_lazy("“%(value)s”"),
}


@dataclass(frozen=True, slots=True)
class DriveAct:
    """One line of a drive's history."""

    key: int
    at: datetime
    by: str
    text: str
    before: str
    after: str
    goes_back: bool
    stands: str  # why it does not


def told(
    acts: Sequence[Act], titles: Mapping[str, str | Promise], words: ValueWords = NO_WORDS
) -> list[DriveAct]:
    """Put a whole history into words, newest first; `words` write the values of some names."""
    ways = set(undoable(acts))
    undone = {act.undoes_id for act in acts}
    return [_told(act, titles, words, act.pk in ways, act.pk in undone) for act in acts]


def _told(
    act: Act,
    titles: Mapping[str, str | Promise],
    words: ValueWords,
    goes_back: bool,
    is_undone: bool,
) -> DriveAct:
    title = str(titles.get(act.action, act.action))
    if act.undoes_id is not None:
        title = _("Taken back: %(what)s") % {"what": title}
    places = [
        str(place) % {"value": _value(act.where[name])}
        for name, place in _PLACES.items()
        if act.where.get(name)
    ]
    stands = ""
    if is_undone:
        stands = _("taken back")
    elif not goes_back:
        stands = _("stays") if not act.back.get("call") else _("first what is above")
    return DriveAct(
        key=act.pk,
        at=act.at,
        by=audit.who(act.by),
        text=f"{title}: {', '.join(places)}" if places else title,
        before=_values(act.before, words),
        after=_values(act.after, words),
        goes_back=goes_back and not is_undone,
        stands=stands,
    )


def _values(values: Mapping[str, Any], words: ValueWords) -> str:
    return ", ".join(
        words[name](value) if name in words else _named(name, value)
        for name, value in values.items()
        if value not in (None, "", [])
    )


def _named(name: str, value: Any) -> str:
    if name == "extras":
        return _("extras %(figures)s") % {"figures": _value(value)}
    return _value(value)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        is_score = all(isinstance(each, int) for each in value)
        return score_text(value) if is_score else "–".join(map(str, value))
    if isinstance(value, dict) and value.get("did") in CLOCK:
        return str(CLOCK[value["did"]]) % {"minutes": value.get("minutes", "")}
    if isinstance(value, dict):
        return ", ".join(f"{name} {each}" for name, each in value.items())
    return str(value)
