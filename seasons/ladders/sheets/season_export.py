"""A season as a file of `whist-season/1`: read in again it gives the same ladders."""

from collections.abc import Iterable, Set
from fractions import Fraction
from typing import Any

from clubs.models import Player
from seasons.ladders.models import Ladder, Season
from seasons.ladders.rules import LadderEntry, LadderEvening
from seasons.ladders.rules.handicaps import HandicapTerms, written_terms
from seasons.ladders.rules.rule import PERCENT, PLUS
from seasons.ladders.season_evenings import season_evenings
from seasons.ladders.season_file import FORMAT
from seasons.ladders.season_tables import terms_of_season, with_handicaps


def season_document(season: Season) -> dict[str, Any]:
    """Write a season with everybody's full name, its ladders and all its evenings.

    An evening that was played here becomes one from elsewhere: places and figures, no boards.
    """
    evenings = season_evenings(season, (PLUS, PERCENT))
    terms = terms_of_season(season)
    if terms is not None:
        evenings = with_handicaps(season, terms, evenings)
    keys = {key for each in evenings for entry in each.entries for key in entry.people}
    rows = list(season.ladders.prefetch_related("handicaps"))
    keys |= {each.player_id for row in rows for each in row.handicaps.all()}
    keys |= set(season.by_hand.values_list("player", flat=True))
    people = sorted(Player.objects.filter(pk__in=keys), key=lambda each: each.name)
    entries = [entry for each in evenings for entry in each.entries]
    visitors = {key for entry in entries for key in entry.visitors}
    visitors -= {key for entry in entries for key in {*entry.people} - entry.visitors}
    return {
        "format": FORMAT,
        "club": {"name": season.club.name},
        "players": [_person(each, each.pk not in visitors) for each in people],
        "season": {
            "slug": season.slug,
            "name": season.name,
            "from": season.first_day.isoformat(),
            "to": season.last_day.isoformat(),
            **_handicap(season, terms),
        },
        "ladders": [_ladder(row) for row in rows],
        "evenings": [_evening(each, visitors) for each in evenings if each.entries],
    }


def _person(player: Player, is_member: bool) -> dict[str, Any]:
    number = {"number": player.number} if player.number else {}
    return {"id": str(player.pk), "name": player.name, "member": is_member, **number}


def _handicap(season: Season, terms: HandicapTerms | None) -> dict[str, Any]:
    if terms is None:
        return {}
    rows = {
        str(each.player_id): {"a_board": each.a_board, "reason": each.reason}
        for each in season.by_hand.all()
    }
    return {"handicap": written_terms(terms) | ({"by_hand": rows} if rows else {})}


def _ladder(row: Ladder) -> dict[str, Any]:
    handicaps = {str(each.player_id): each.a_board for each in row.handicaps.all()}
    own = {"handicaps": handicaps} if handicaps else {}
    return {"slug": row.slug, "name": row.name, **row.rule, **own}


def _evening(evening: LadderEvening, visitors: Set[int]) -> dict[str, Any]:
    return {
        "slug": evening.key[:60],
        "date": evening.day,
        "boards": max(evening.most_boards, 1),
        "contest": evening.contest,
        "entries": list(_entries(evening.entries, visitors)),
    }


def _entries(entries: Iterable[LadderEntry], visitors: Set[int]) -> Iterable[dict[str, Any]]:
    """`visitors` never were members; whoever was one sometimes is told of by the entry."""
    for entry in entries:
        if not entry.people:
            continue  # somebody of a drive who has no page in the club
        figures: dict[str, Any] = {
            "team": entry.team,
            "field": entry.field,
            "percent": _text(entry.percent),
            "tricks": _text(entry.tricks),
            "place": entry.place,
            "handicap": _text(entry.handicap),
        }
        if entry.visitors != visitors & {*entry.people}:
            figures["visitors"] = [str(key) for key in sorted(entry.visitors)]
        score = entry.score if entry.plus is None else entry.plus
        yield {
            "players": [str(key) for key in entry.people],
            "score": _text(score or Fraction()),
            "boards": entry.boards,
            **{key: value for key, value in figures.items() if value not in (None, "")},
        }


def _text(number: Fraction | None) -> str | None:
    return None if number is None else str(number)
