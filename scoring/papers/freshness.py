"""The papers that were made: which the tables need, and which no longer tell the truth."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.utils.translation import gettext as _

from clubs import audit
from scoring.models import Paper
from scoring.sheets.change_notice import OF_THE_SEATS
from tournaments.models import Session
from tournaments.movements.own_cards import own_cards_needed
from tournaments.seating_snapshot import held_movement

BEFORE_PLAY = ("travellers", "guide_cards", "score_slips", "wall_sheet")
SEATS_ON_THEM = (*OF_THE_SEATS, "memory_cards", "entry_links")
NAMES_ON_THEM = (
    "door_list",
    "pair_guides",
    "score_slips",
    "entry_links",
    "ranking",
    "recap",
    "explanations",
)
RESEATED = ("section.seated", "seats.drawn", "seating.changed", "seating.restored")
RENAMED = (
    "entry.renamed",
    "player.renamed",
    "player.shown",
    "players.merged",
    "players.parted",
)


def for_the_tables(session: Session) -> tuple[str, ...]:
    """What the tables need; trump slips only while they tell nothing.

    Where the deals are known the slips show the turn-ups, so they are ordered by name alone.
    Personal guide cards are among them where nobody finds his way by his table's card.
    """
    kinds = list(BEFORE_PLAY)
    if any(own_cards_needed(held_movement(each)) for each in session.sections.all()):
        kinds.insert(kinds.index("guide_cards") + 1, "pair_guides")
    if session.deals != Session.Deals.RECORDED:
        kinds.append("trump_slips")
    return tuple(kinds)


def out_of_date(session: Session, papers: Iterable[Paper]) -> dict[int, str]:
    """Say of each paper that shows old seats or old names what has changed since."""
    seated_at, named_at = _last(session, RESEATED), _last(session, RENAMED)
    told = {}
    for paper in papers:
        if paper.state != Paper.State.READY or paper.made_at is None:
            continue
        if seated_at and paper.made_at < seated_at and paper.kind in SEATS_ON_THEM:
            told[paper.pk] = _("the seating has changed since. Order it again.")
        elif named_at and paper.made_at < named_at and paper.kind in NAMES_ON_THEM:
            told[paper.pk] = _("a name has changed since. Order it again.")
    return told


def to_print_anew(session: Session) -> list[str]:
    """The kinds of which the last paper that was made is out of date."""
    last = {row.kind: row for row in session.papers.order_by("pk")}
    if not last:
        return []
    old = out_of_date(session, last.values())
    return [row.kind for row in last.values() if row.pk in old]


def _last(session: Session, actions: Collection[str]) -> datetime | None:
    acts = audit.history(session.event).filter(action__in=actions)
    return acts.values_list("at", flat=True).first()
