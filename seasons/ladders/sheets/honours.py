"""The content of a club's honours page: the winners of trophies by year and by person."""

from collections import defaultdict
from dataclasses import dataclass

from clubs.models import Club, Player
from clubs.name_folding import fold_name
from clubs.privacy import has_public_page
from seasons.ladders.models import Trophy
from seasons.ladders.named_people import find_people_by_name


@dataclass(frozen=True, slots=True)
class TrophyLine:
    """A trophy with the names of its winners for each year."""

    trophy: Trophy
    years: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HonoursBoard:
    """All trophies of a club, and the trophies that each publicly named person has won."""

    trophies: tuple[TrophyLine, ...]
    people: tuple[tuple[str, tuple[str, ...]], ...]


def load_honours(club: Club) -> HonoursBoard:
    """Return a club's trophies and their winners, in five queries.

    An engraved text is compared with the names of the club's current players. The text is
    hidden if a player with this name is hidden now.
    """
    rows = list(Trophy.objects.filter(club=club).prefetch_related("engravings__names__player"))
    texts = {
        each.name
        for trophy in rows
        for engraving in trophy.engravings.all()
        for each in engraving.names.all()
        if each.player is None
    }
    meant = find_people_by_name(club, texts)
    lines = []
    won: dict[str, list[str]] = defaultdict(list)
    for trophy in rows:
        years = []
        for engraving in trophy.engravings.all():
            names = [
                each.player or meant[each.name] or each.name for each in engraving.names.all()
            ]
            found = list(dict.fromkeys(names))  # merged players may appear twice
            years.append((engraving.year, " & ".join(map(_public_name, found))))
            for who in found:
                if isinstance(who, str) or has_public_page(who):
                    won[_public_name(who)].append(f"{trophy.name} {engraving.year}")
        lines.append(TrophyLine(trophy, tuple(years)))
    order = sorted(won.items(), key=lambda item: (-len(item[1]), fold_name(item[0])))
    return HonoursBoard(tuple(lines), tuple((name, tuple(each)) for name, each in order))


def _public_name(who: Player | str) -> str:
    return who if isinstance(who, str) else who.shown_name
