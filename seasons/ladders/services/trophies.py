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
from seasons.ladders.errors import SeasonActionRefused
from seasons.ladders.models import EngravedName, Engraving, Season, Trophy
from seasons.ladders.named_people import find_people_by_name
from seasons.ladders.rules import LadderRow
from seasons.ladders.season_tables import load_ladder_tables

MAX_NAME_LENGTH, MAX_YEAR_LENGTH = 100, 20
MAX_WINNERS_PER_ENGRAVING = 12  # the maximum number of winners in one engraving
WinnerNames = Sequence[int | str]
"""The winners to engrave: players by primary key, other people and teams by name."""


@transaction.atomic
def create_trophy(
    *, club: Club, name: str, ladder_slug: str = "", not_with: Trophy | None = None, by: Actor
) -> Trophy:
    """Create a trophy of a club.

    Raises SeasonActionRefused if the name is empty, too long or used by another trophy of the
    club.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    trophy_name = " ".join(name.split())
    if not trophy_name or len(trophy_name) > MAX_NAME_LENGTH:
        raise SeasonActionRefused(_("Enter a name of at most 100 characters."))
    if filter_by_name(Trophy.objects.filter(club=club), trophy_name).exists():
        raise SeasonActionRefused(_("There’s already a trophy with this name."))
    trophy = Trophy.objects.create(
        club=club,
        slug=create_free_slug(slugify(trophy_name)[:50] or "trophy", Trophy),
        name=trophy_name,
        ladder=ladder_slug,
        not_with=not_with,
        order=Trophy.objects.filter(club=club).count() + 1,
    )
    undo = Undo(("trophy",), "trophy.remove")
    audit.record(by, "trophy.made", subject=trophy, after={"name": trophy_name}, undo=undo)
    return trophy


@transaction.atomic
def delete_trophy(*, trophy: Trophy, by: Actor) -> None:
    """Delete a trophy; raise SeasonActionRefused if it has engravings."""
    trophy_row = Trophy.objects.select_for_update().filter(pk=trophy.pk).first()
    if trophy_row is None:
        return
    if trophy_row.engravings.exists():
        raise SeasonActionRefused(_("The trophy has winners. Remove them first."))
    audit.record(by, "trophy.removed", subject=trophy_row, before={"name": trophy_row.name})
    trophy_row.delete()


@transaction.atomic
def engrave_trophy(
    *,
    trophy: Trophy,
    year: str,
    winner_names: WinnerNames,
    season: Season | None = None,
    by: Actor,
) -> Engraving:
    """Store the winners of a trophy for a year.

    Winners are given as primary keys of players or as typed names. A name that matches a
    player of the club, regardless of case and accents, is stored as that player. The name of a
    hidden player therefore stays hidden. Raises SeasonActionRefused for invalid names, or if
    the year is invalid or has an engraving already.
    """
    trophy_row = Trophy.objects.select_for_update().filter(pk=trophy.pk).first()
    if trophy_row is None:
        raise SeasonActionRefused(_("Trophy not found."))
    clean_year = " ".join(year.split())
    winners = _find_winners(trophy_row.club, winner_names)
    if not clean_year or len(clean_year) > MAX_YEAR_LENGTH:
        raise SeasonActionRefused(_("Enter a year such as 2026 or 2025/26."))
    if not 0 < len(winners) <= MAX_WINNERS_PER_ENGRAVING or any(
        len(str(winner)) > MAX_NAME_LENGTH for winner in winners
    ):
        raise SeasonActionRefused(_("Enter 1–12 names of at most 100 characters each."))
    if filter_by_name(trophy_row.engravings.all(), clean_year, name_field="year").exists():
        message = _("%(trophy)s already has winners for %(year)s.")
        raise SeasonActionRefused(message % {"trophy": trophy_row.name, "year": clean_year})
    engraving = Engraving.objects.create(trophy=trophy_row, year=clean_year, season=season)
    EngravedName.objects.bulk_create(
        EngravedName(
            engraving=engraving,
            order=order,
            player_id=winner if isinstance(winner, int) else None,
            name="" if isinstance(winner, int) else winner,
        )
        for order, winner in enumerate(winners, start=1)
    )
    undo = Undo(("trophy",), "trophy.unengrave", {"year": clean_year})
    new_values = {"name": trophy_row.name, "year": clean_year}
    audit.record(by, "trophy.engraved", subject=trophy_row, after=new_values, undo=undo)
    return engraving


@transaction.atomic
def delete_engraving(*, trophy: Trophy, year: str, by: Actor) -> None:
    """Delete the winners of a trophy for a year."""
    engravings = Engraving.objects.select_for_update().filter(trophy=trophy)
    engraving = engravings.filter(year=year).first()
    if engraving is None:
        return
    engraved_names = list(engraving.names.all())
    undo_arguments = {
        "year": year,
        "names": [
            [engraved_name.player_id, engraved_name.name] for engraved_name in engraved_names
        ],
        "season": engraving.season_id,
    }
    old_values = {"name": trophy.name, "year": year}
    engraving.delete()
    undo = Undo(("trophy",), "trophy.engrave", undo_arguments)
    audit.record(by, "trophy.unengraved", subject=trophy, before=old_values, undo=undo)


@transaction.atomic
def award_trophies(*, season: Season, by: Actor) -> list[Engraving]:
    """Engrave each trophy without a winner for the season with the leaders of its ladder.

    A leader who has won the trophy that this one excludes is passed over for the next in rank.
    A trophy with too many tied leaders is skipped, see `list_unawardable_trophies`. Raises
    SeasonActionRefused if a leader's name is too long to be engraved.
    """
    Club.objects.select_for_update().get(pk=season.club_id)
    awarded_engravings = []
    for trophy, winners in _iter_unengraved_trophies(season):
        if len(winners) <= MAX_WINNERS_PER_ENGRAVING:
            year = _build_unique_year_text(trophy, season)
            awarded_engravings.append(
                engrave_trophy(
                    trophy=trophy, year=year, winner_names=winners, season=season, by=by
                )
            )
    return awarded_engravings


def list_unawardable_trophies(season: Season) -> list[Trophy]:
    """Return the trophies that cannot be awarded, because more than twelve leaders are tied."""
    return [
        trophy
        for trophy, winners in _iter_unengraved_trophies(season)
        if len(winners) > MAX_WINNERS_PER_ENGRAVING
    ]


def _iter_unengraved_trophies(season: Season) -> Iterator[tuple[Trophy, list[int | str]]]:
    """Yield each trophy without a winner for the season, with the leaders of its ladder."""
    tables_by_ladder = {ladder.slug: table for ladder, table in load_ladder_tables(season)}
    winners_by_trophy: dict[int, set[int | str]] = {}
    trophies = Trophy.objects.filter(club=season.club_id)
    for trophy in sorted(trophies, key=lambda trophy: trophy.not_with_id is not None):
        table = tables_by_ladder.get(trophy.ladder)
        if table is None:
            continue
        existing_engraving = _find_engraving(trophy, season)
        if existing_engraving is not None:
            winners_by_trophy[trophy.pk] = {
                engraved_name.player_id or engraved_name.name
                for engraved_name in existing_engraving.names.all()
            }
            continue
        winners = _list_winners(
            table.ranked_rows, winners_by_trophy.get(trophy.not_with_id or 0, set())
        )
        if len(winners) <= MAX_WINNERS_PER_ENGRAVING:
            winners_by_trophy[trophy.pk] = set(winners)
        if winners:
            yield trophy, winners


def _find_engraving(trophy: Trophy, season: Season) -> Engraving | None:
    """Return a trophy's engraving for a season, awarded or entered manually, or None."""
    season_engraving = trophy.engravings.filter(season=season).first()
    manual_engravings = filter_by_name(
        trophy.engravings.filter(season=None), _format_year(season), name_field="year"
    )
    return season_engraving or manual_engravings.first()


def _format_year(season: Season) -> str:
    """Return the text that is engraved as the year of a season.

    The text is the season's name, or its calendar years if the name is too long.
    """
    name = " ".join(season.name.split())
    if len(name) <= MAX_YEAR_LENGTH:
        return name
    first_year, last_year = season.first_day.year, season.last_day.year
    return str(first_year) if first_year == last_year else f"{first_year}/{last_year % 100:02}"


def _build_unique_year_text(trophy: Trophy, season: Season) -> str:
    """Return the text of a season's year, with a number if the trophy already has the text.

    Two seasons of the same calendar years get the same text if their names are too long.
    """
    used_year_texts = trophy.engravings.values_list("year", flat=True)
    used_years = {used_year_text.casefold() for used_year_text in used_year_texts}
    year = _format_year(season)
    year_text, suffix_number = year, 1
    while year_text.casefold() in used_years:
        suffix_number += 1
        number_suffix = f" ({suffix_number})"
        year_text = f"{year[: MAX_YEAR_LENGTH - len(number_suffix)].rstrip()}{number_suffix}"
    return year_text


def _list_winners(
    ranked_rows: Sequence[LadderRow], excluded_winners: set[int | str]
) -> list[int | str]:
    """Return the best-ranked people or teams of a ladder.

    Lines that contain someone in `excluded_winners` are skipped.
    """
    winners: list[int | str] = []
    rank = 0
    for row in ranked_rows:
        row_subjects = [row.subject] if isinstance(row.subject, str) else list(row.subject)
        if rank and row.rank != rank:
            break
        if not excluded_winners & set(row_subjects):
            rank = row.rank
            winners += row_subjects
    return list(dict.fromkeys(winners))


def _find_winners(club: Club, winner_names: WinnerNames) -> list[int | str]:
    typed_names = [
        " ".join(winner_name.split())
        for winner_name in winner_names
        if isinstance(winner_name, str)
    ]
    players_by_name = find_people_by_name(club, typed_names)
    club_player_pks = set(Player.objects.filter(club=club).values_list("pk", flat=True))
    winners: list[int | str] = []
    for winner_name in winner_names:
        if isinstance(winner_name, int):
            winners += [winner_name] if winner_name in club_player_pks else []
        elif typed_name := " ".join(winner_name.split()):
            player = players_by_name[typed_name]
            winners.append(player.pk if player else typed_name)
    return list(dict.fromkeys(winners))
