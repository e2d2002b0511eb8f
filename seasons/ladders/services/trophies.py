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

MAX_NAME_LENGTH, MAX_YEAR_LENGTH = 100, 20
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
    clean_name_ = " ".join(name.split())
    if not clean_name_ or len(clean_name_) > MAX_NAME_LENGTH:
        raise SeasonRefused(_("Enter a name of at most 100 characters."))
    if filter_by_name(Trophy.objects.filter(club=club), clean_name_).exists():
        raise SeasonRefused(_("There's already a trophy of this name."))
    trophy = Trophy.objects.create(
        club=club,
        slug=create_free_slug(slugify(clean_name_)[:50] or "trophy", Trophy),
        name=clean_name_,
        ladder=ladder,
        not_with=not_with,
        order=Trophy.objects.filter(club=club).count() + 1,
    )
    undo = Undo(("trophy",), "trophy.remove")
    audit.record(by, "trophy.made", subject=trophy, after={"name": clean_name_}, back=undo)
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
    clean_year = " ".join(year.split())
    people = _find_people(row.club, names)
    if not clean_year or len(clean_year) > MAX_YEAR_LENGTH:
        raise SeasonRefused(_("Enter a year such as 2026 or 2025/26."))
    if not 0 < len(people) <= MAX_NAMES or any(
        len(str(winner)) > MAX_NAME_LENGTH for winner in people
    ):
        raise SeasonRefused(_("Enter 1–12 names of at most 100 characters each."))
    if filter_by_name(row.engravings.all(), clean_year, by="year").exists():
        message = _("%(trophy)s already has winners for %(year)s.")
        raise SeasonRefused(message % {"trophy": row.name, "year": clean_year})
    engraving = Engraving.objects.create(trophy=row, year=clean_year, season=season)
    EngravedName.objects.bulk_create(
        EngravedName(
            engraving=engraving,
            order=order,
            player_id=person if isinstance(person, int) else None,
            name="" if isinstance(person, int) else person,
        )
        for order, person in enumerate(people, start=1)
    )
    undo = Undo(("trophy",), "trophy.unengrave", {"year": clean_year})
    after = {"name": row.name, "year": clean_year}
    audit.record(by, "trophy.engraved", subject=row, after=after, back=undo)
    return engraving


@transaction.atomic
def delete_engraving(*, trophy: Trophy, year: str, by: Actor) -> None:
    """Delete the winners of a trophy for a year."""
    rows = Engraving.objects.select_for_update().filter(trophy=trophy)
    row = rows.filter(year=year).first()
    if row is None:
        return
    names = list(row.names.all())
    undo_arguments = {
        "year": year,
        "names": [[name.player_id, name.name] for name in names],
        "season": row.season_id,
    }
    before = {"name": trophy.name, "year": year}
    row.delete()
    undo = Undo(("trophy",), "trophy.engrave", undo_arguments)
    audit.record(by, "trophy.unengraved", subject=trophy, before=before, back=undo)


@transaction.atomic
def award_trophies(*, season: Season, by: Actor) -> list[Engraving]:
    """Engrave each trophy with the leaders of its ladder, unless it has an engraving for the
    season.

    If a trophy excludes the winners of another trophy, it is awarded to the next in rank. A
    trophy with too many tied leaders is skipped, see `list_overshared_trophies`. Raises
    SeasonRefused if a leader's name is too long to be engraved.
    """
    Club.objects.select_for_update().get(pk=season.club_id)
    awarded = []
    for trophy, names in _iter_undecided_trophies(season):
        if len(names) <= MAX_NAMES:
            year = _find_free_year(trophy, season)
            awarded.append(engrave(trophy=trophy, year=year, names=names, season=season, by=by))
    return awarded


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
    winners_by_trophy: dict[int, set[int | str]] = {}
    rows = Trophy.objects.filter(club=season.club_id)
    for trophy in sorted(rows, key=lambda trophy_: trophy_.not_with_id is not None):
        table = tables.get(trophy.ladder)
        if table is None:
            continue
        existing_engraving = _find_engraving(trophy, season)
        if existing_engraving is not None:
            winners_by_trophy[trophy.pk] = {
                name.player_id or name.name for name in existing_engraving.names.all()
            }
            continue
        names = _list_winners(
            table.ranked, winners_by_trophy.get(trophy.not_with_id or 0, set())
        )
        if len(names) <= MAX_NAMES:
            winners_by_trophy[trophy.pk] = set(names)
        if names:
            yield trophy, names


def _find_engraving(trophy: Trophy, season: Season) -> Engraving | None:
    """Return a trophy's engraving for a season, awarded or entered manually, or None."""
    season_engraving = trophy.engravings.filter(season=season).first()
    by_hand = filter_by_name(
        trophy.engravings.filter(season=None), _format_year(season), by="year"
    )
    return season_engraving or by_hand.first()


def _format_year(season: Season) -> str:
    """Return the text that is engraved as the year of a season.

    It is the season's name, or the calendar years of the season if the name is too long.
    """
    name = " ".join(season.name.split())
    if len(name) <= MAX_YEAR_LENGTH:
        return name
    first, last = season.first_day.year, season.last_day.year
    return str(first) if first == last else f"{first}/{last % 100:02}"


def _find_free_year(trophy: Trophy, season: Season) -> str:
    """Return the text for a season's year, with a number added if the trophy already has that
    text.

    Two seasons of the same calendar years get the same text if their names are too long.
    """
    rows = trophy.engravings.values_list("year", flat=True)
    used_years = {row.casefold() for row in rows}
    year = _format_year(season)
    year_text, number = year, 1
    while year_text.casefold() in used_years:
        number += 1
        end = f" ({number})"
        year_text = f"{year[: MAX_YEAR_LENGTH - len(end)].rstrip()}{end}"
    return year_text


def _list_winners(rows: Sequence[LadderRow], excluded: set[int | str]) -> list[int | str]:
    """Return the best-ranked people or teams of a ladder, without the excluded ones in
    `passed`.
    """
    winners: list[int | str] = []
    rank = 0
    for row in rows:
        leaders = [row.who] if isinstance(row.who, str) else list(row.who)
        if rank and row.rank != rank:
            break
        if not excluded & set(leaders):
            rank = row.rank
            winners += leaders
    return list(dict.fromkeys(winners))


def _find_people(club: Club, names: WinnerNames) -> list[int | str]:
    texts = [" ".join(name.split()) for name in names if isinstance(name, str)]
    players_by_name = find_people_by_name(club, texts)
    club_keys = set(Player.objects.filter(club=club).values_list("pk", flat=True))
    winners: list[int | str] = []
    for name in names:
        if isinstance(name, int):
            winners += [name] if name in club_keys else []
        elif text := " ".join(name.split()):
            player = players_by_name[text]
            winners.append(player.pk if player else text)
    return list(dict.fromkeys(winners))
