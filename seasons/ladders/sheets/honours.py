"""The content of a club's honours page: the winners of trophies by year and by person."""

from collections import defaultdict
from dataclasses import dataclass

from clubs.models import Club, Player
from clubs.name_order import get_sort_key
from clubs.privacy import has_public_page
from seasons.ladders.models import Trophy
from seasons.ladders.named_people import find_people_by_name


@dataclass(frozen=True, slots=True)
class TrophyLine:
    """A trophy with the names of its winners for each year."""

    trophy: Trophy
    years: tuple[tuple[str, str], ...]  # (year, names of the winners)


@dataclass(frozen=True, slots=True)
class HonoursBoard:
    """All trophies of a club, and the trophies that each publicly named person has won."""

    trophies: tuple[TrophyLine, ...]
    people: tuple[tuple[str, tuple[str, ...]], ...]  # (name, trophies with their years)


def load_honours(club: Club) -> HonoursBoard:
    """Return a club's trophies and their winners, in five queries.

    If an engraved text is the name of a player who is hidden now, the text is hidden too.
    """
    trophies = list(
        Trophy.objects.filter(club=club).prefetch_related("engravings__names__player")
    )
    engraved_texts = {
        engraved_name.name
        for trophy in trophies
        for engraving in trophy.engravings.all()
        for engraved_name in engraving.names.all()
        if engraved_name.player is None
    }
    players_by_name = find_people_by_name(club, engraved_texts)
    trophy_lines = []
    trophies_by_person: dict[str, list[str]] = defaultdict(list)
    for trophy in trophies:
        years = []
        for engraving in trophy.engravings.all():
            winners = [
                engraved_name.player
                or players_by_name[engraved_name.name]
                or engraved_name.name
                for engraved_name in engraving.names.all()
            ]
            unique_winners = list(dict.fromkeys(winners))  # merged players may appear twice
            years.append((engraving.year, " & ".join(map(_get_public_name, unique_winners))))
            for winner in unique_winners:
                if isinstance(winner, str) or has_public_page(winner):
                    trophies_by_person[_get_public_name(winner)].append(
                        f"{trophy.name} {engraving.year}"
                    )
        trophy_lines.append(TrophyLine(trophy, tuple(years)))
    names_and_trophies = sorted(
        trophies_by_person.items(), key=lambda item: (-len(item[1]), get_sort_key(item[0]))
    )
    return HonoursBoard(
        tuple(trophy_lines),
        tuple((name, tuple(trophy_texts)) for name, trophy_texts in names_and_trophies),
    )


def _get_public_name(winner: Player | str) -> str:
    return winner if isinstance(winner, str) else winner.shown_name
