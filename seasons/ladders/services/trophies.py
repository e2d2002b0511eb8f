"""The services that create, engrave and award trophies."""

from collections.abc import Iterator, Sequence

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club, Player
from clubs.name_folding import filter_by_name
from clubs.slugs import create_free_slug
from seasons.ladders.errors import SeasonRefused
from seasons.ladders.models import EngravedName, Engraving, Season, Trophy
from seasons.ladders.named_people import find_people_by_name
from seasons.ladders.rules import LadderRow
from seasons.ladders.season_tables import load_ladder_tables

LONGEST_NAME, LONGEST_YEAR = 100, 20
MAX_NAMES = 12
WinnerNames = Sequence[int | str]
"""The winners to engrave: players by primary key, other people and teams by name."""


@transaction.atomic
def create_trophy(
    *, club: Club, name: str, ladder: str = "", not_with: Trophy | None = None, by: Actor
) -> Trophy:
    """Create a trophy of a club.

    Raises SeasonRefused if the name is empty, too long or used by another trophy of the club.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > LONGEST_NAME:
        raise SeasonRefused(_("Enter a name of at most 100 characters."))
    if filter_by_name(Trophy.objects.filter(club=club), tidy).exists():
        raise SeasonRefused(_("There's already a trophy of this name."))
    trophy = Trophy.objects.create(
        club=club,
        slug=create_free_slug(slugify(tidy)[:50] or "trophy", Trophy),
        name=tidy,
        ladder=ladder,
        not_with=not_with,
        order=Trophy.objects.filter(club=club).count() + 1,
    )
    back = Undo(("trophy",), "trophy.remove")
    audit.record(by, "trophy.made", subject=trophy, after={"name": tidy}, back=back)
    return trophy


@transaction.atomic
def delete_trophy(*, trophy: Trophy, by: Actor) -> None:
    """Delete a trophy; raise SeasonRefused if it has engravings."""
    row = Trophy.objects.select_for_update().filter(pk=trophy.pk).first()
    if row is None:
        return
    if row.engravings.exists():
        raise SeasonRefused(_("The trophy has winners. Remove them first."))
    audit.record(by, "trophy.removed", subject=row, before={"name": row.name})
    row.delete()


@transaction.atomic
def engrave(
    *, trophy: Trophy, year: str, names: WinnerNames, season: Season | None = None, by: Actor
) -> Engraving:
    """Store the winners of a trophy for a year.

    Winners are given as primary keys of players or as typed names. A name that matches a
    player of the club, regardless of case and accents, is stored as that player. The name of a
    hidden player therefore stays hidden. Raises SeasonRefused for invalid names, or if the
    year is invalid or has an engraving already.
    """
    row = Trophy.objects.select_for_update().filter(pk=trophy.pk).first()
    if row is None:
        raise SeasonRefused(_("Trophy not found."))
    tidy = " ".join(year.split())
    people = _find_people(row.club, names)
    if not tidy or len(tidy) > LONGEST_YEAR:
        raise SeasonRefused(_("Enter a year such as 2026 or 2025/26."))
    if not 0 < len(people) <= MAX_NAMES or any(len(str(it)) > LONGEST_NAME for it in people):
        raise SeasonRefused(_("Enter 1–12 names of at most 100 characters each."))
    if filter_by_name(row.engravings.all(), tidy, by="year").exists():
        words = _("%(trophy)s already has winners for %(year)s.")
        raise SeasonRefused(words % {"trophy": row.name, "year": tidy})
    made = Engraving.objects.create(trophy=row, year=tidy, season=season)
    EngravedName.objects.bulk_create(
        EngravedName(
            engraving=made,
            order=order,
            player_id=each if isinstance(each, int) else None,
            name="" if isinstance(each, int) else each,
        )
        for order, each in enumerate(people, start=1)
    )
    back = Undo(("trophy",), "trophy.unengrave", {"year": tidy})
    after = {"name": row.name, "year": tidy}
    audit.record(by, "trophy.engraved", subject=row, after=after, back=back)
    return made


@transaction.atomic
def delete_engraving(*, trophy: Trophy, year: str, by: Actor) -> None:
    """Delete the winners of a trophy for a year."""
    rows = Engraving.objects.select_for_update().filter(trophy=trophy)
    row = rows.filter(year=year).first()
    if row is None:
        return
    names = list(row.names.all())
    given = {
        "year": year,
        "names": [[each.player_id, each.name] for each in names],
        "season": row.season_id,
    }
    before = {"name": trophy.name, "year": year}
    row.delete()
    back = Undo(("trophy",), "trophy.engrave", given)
    audit.record(by, "trophy.unengraved", subject=trophy, before=before, back=back)


@transaction.atomic
def award_trophies(*, season: Season, by: Actor) -> list[Engraving]:
    """Engrave each trophy with the leaders of its ladder, unless it has an engraving for the
    season.

    If a trophy excludes the winners of another trophy, it is awarded to the next in rank. A
    trophy with too many tied leaders is skipped, see `list_overshared_trophies`. Raises
    SeasonRefused if a leader's name is too long to be engraved.
    """
    Club.objects.select_for_update().get(pk=season.club_id)
    made = []
    for trophy, names in _iter_undecided_trophies(season):
        if len(names) <= MAX_NAMES:
            year = _find_free_year(trophy, season)
            made.append(engrave(trophy=trophy, year=year, names=names, season=season, by=by))
    return made


def list_overshared_trophies(season: Season) -> list[Trophy]:
    """Return the trophies that cannot be awarded, because more than twelve leaders are tied."""
    return [
        trophy for trophy, names in _iter_undecided_trophies(season) if len(names) > MAX_NAMES
    ]


def _iter_undecided_trophies(season: Season) -> Iterator[tuple[Trophy, list[int | str]]]:
    """Yield each trophy without an engraving for the season, with the tied leaders of its
    ladder.
    """
    tables = {row.slug: table for row, table in load_ladder_tables(season)}
    won: dict[int, set[int | str]] = {}
    rows = Trophy.objects.filter(club=season.club_id)
    for trophy in sorted(rows, key=lambda it: it.not_with_id is not None):
        table = tables.get(trophy.ladder)
        if table is None:
            continue
        kept = _find_engraving(trophy, season)
        if kept is not None:
            won[trophy.pk] = {each.player_id or each.name for each in kept.names.all()}
            continue
        names = _list_winners(table.ranked, won.get(trophy.not_with_id or 0, set()))
        if len(names) <= MAX_NAMES:
            won[trophy.pk] = set(names)
        if names:
            yield trophy, names


def _find_engraving(trophy: Trophy, season: Season) -> Engraving | None:
    """Return a trophy's engraving for a season, awarded or entered manually, or None."""
    own = trophy.engravings.filter(season=season).first()
    by_hand = filter_by_name(
        trophy.engravings.filter(season=None), _format_year(season), by="year"
    )
    return own or by_hand.first()


def _format_year(season: Season) -> str:
    """Return the text that is engraved as the year of a season.

    It is the season's name, or the calendar years of the season if the name is too long.
    """
    name = " ".join(season.name.split())
    if len(name) <= LONGEST_YEAR:
        return name
    first, last = season.first_day.year, season.last_day.year
    return str(first) if first == last else f"{first}/{last % 100:02}"


def _find_free_year(trophy: Trophy, season: Season) -> str:
    """Return the text for a season's year, with a number added if the trophy already has that
    text.

    Two seasons of the same calendar years get the same text if their names are too long.
    """
    rows = trophy.engravings.values_list("year", flat=True)
    taken = {each.casefold() for each in rows}
    year = _format_year(season)
    written, number = year, 1
    while written.casefold() in taken:
        number += 1
        end = f" ({number})"
        written = f"{year[: LONGEST_YEAR - len(end)].rstrip()}{end}"
    return written


def _list_winners(rows: Sequence[LadderRow], passed: set[int | str]) -> list[int | str]:
    """Return the best-ranked people or teams of a ladder, without the excluded ones in
    `passed`.
    """
    found: list[int | str] = []
    rank = 0
    for row in rows:
        who = [row.who] if isinstance(row.who, str) else list(row.who)
        if rank and row.rank != rank:
            break
        if not passed & set(who):
            rank = row.rank
            found += who
    return list(dict.fromkeys(found))


def _find_people(club: Club, names: WinnerNames) -> list[int | str]:
    texts = [" ".join(each.split()) for each in names if isinstance(each, str)]
    known = find_people_by_name(club, texts)
    own = set(Player.objects.filter(club=club).values_list("pk", flat=True))
    found: list[int | str] = []
    for each in names:
        if isinstance(each, int):
            found += [each] if each in own else []
        elif text := " ".join(each.split()):
            meant = known[text]
            found.append(meant.pk if meant else text)
    return list(dict.fromkeys(found))
