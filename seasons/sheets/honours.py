"""The honours board: by trophy, year by year, and by person."""

from collections import defaultdict
from dataclasses import dataclass

from clubs.letters import plain_letters
from clubs.models import Club
from clubs.privacy import may_be_shown
from seasons.models import Trophy


@dataclass(frozen=True, slots=True)
class TrophyLine:
    """A trophy, and who has it from each year."""

    trophy: Trophy
    years: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Honours:
    """All trophies of a club, and for who is shown by name what each has won."""

    trophies: tuple[TrophyLine, ...]
    people: tuple[tuple[str, tuple[str, ...]], ...]


def honours(club: Club) -> Honours:
    """Read a club's honours; four questions, however many there are."""
    rows = Trophy.objects.filter(club=club).prefetch_related("engravings__names__player")
    lines = []
    won: dict[str, list[str]] = defaultdict(list)
    for trophy in rows:
        years = []
        for engraving in trophy.engravings.all():
            names = list(engraving.names.all())
            years.append((engraving.year, " & ".join(each.shown for each in names)))
            for each in names:
                if each.player is None or may_be_shown(each.player):
                    won[each.shown].append(f"{trophy.name} {engraving.year}")
        lines.append(TrophyLine(trophy, tuple(years)))
    order = sorted(won.items(), key=lambda item: (-len(item[1]), plain_letters(item[0])))
    return Honours(tuple(lines), tuple((name, tuple(each)) for name, each in order))
