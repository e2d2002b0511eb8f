"""The services that create a season from a file or a form, and that delete a season."""

from collections.abc import Mapping, Sequence
from datetime import date as Date
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.text import slugify
from django.utils.translation import gettext as _

import clubs.services
from clubs import audit
from clubs.audit import Actor, Undo
from clubs.file_fields import UnusableFile
from clubs.models import Club, Player
from clubs.names.tidy import build_name_key
from clubs.services.people import load_players_by_key
from clubs.slugs import create_free_slug
from seasons.ladders.models import (
    EntryElsewhere,
    EveningElsewhere,
    Handicap,
    HandicapByHand,
    Ladder,
    Season,
    SeasonHandicap,
    SeatElsewhere,
)
from seasons.ladders.rules.handicaps import HandicapTerms, read_terms, serialize_terms
from seasons.ladders.rules.rule import serialize_rule
from seasons.ladders.season_file import (
    FORMAT,
    FiledEvening,
    FiledPerson,
    SeasonFile,
    read_season,
)
from server.json_reader.problems import JsonPlace, Problems, format_value


@transaction.atomic
def import_season(
    *, document: bytes | str | Mapping[str, Any], club: Club | None = None, by: Actor
) -> Season:
    """Create a season with its ladders, people and evenings from a `whist-season/1` file.

    Without `club`, the club named in the file is used, or created if it does not exist. People
    are identified by their names. A new person becomes a member or a visitor, as the file
    specifies. Raises UnusableFile with all problems and their paths in the file; nothing is
    imported then.
    """
    file = read_season(document)
    club = club or clubs.services.create_club(name=file.club.name, owner=None, by=by)
    Club.objects.select_for_update().get(pk=club.pk)  # serializes uploads of one file
    problems = Problems(UnusableFile)
    root_place, filed_season = JsonPlace("", problems), file.season
    if Season.objects.filter(slug=filed_season.slug).exists():
        message = _("There's already a season %(slug)s. Give this one its own slug.")
        root_place.key("season").key("slug").report(message, slug=filed_season.slug)
    people = _find_people(club, file, root_place)
    problems.raise_if_any()
    new_players = [person for person in people.values() if person._state.adding]
    for player in new_players:
        player.save()
    season = Season.objects.create(
        club=club,
        slug=filed_season.slug,
        name=filed_season.name,
        first_day=filed_season.first,
        last_day=filed_season.last,
    )
    _write_ladders(season, file, people)
    _write_handicap(season, file, people)
    for evening in file.evenings:
        _write_evening(season, evening, file, people)
    audit.record(
        by,
        "season.imported",
        subject=season,
        after={"name": season.name, "evenings": len(file.evenings), "new": len(new_players)},
        back=Undo(
            ("season",),
            "season.remove",
            {"new": [new_player.pk for new_player in new_players]},
        ),
    )
    return season


@transaction.atomic
def create_season(
    *,
    club: Club,
    name: str,
    first: Date,
    last: Date,
    ladders: Sequence[Mapping[str, Any]],
    by: Actor,
) -> Season:
    """Create a season with its ladders; a second call with the same values has no effect.

    Raises UnusableFile for values that a season file must not have.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    clean_name_ = " ".join(name.split())
    existing_season = Season.objects.filter(
        club=club, name=clean_name_, first_day=first, last_day=last
    ).first()
    if existing_season is not None:
        return existing_season
    days = {"from": first.isoformat(), "to": last.isoformat()}
    slug = create_free_slug(slugify(clean_name_)[:50] or "season", Season)
    document = {
        "format": FORMAT,
        "club": {"name": club.name},
        "players": [],
        "season": {"slug": slug, "name": clean_name_, **days},
        "ladders": [dict(ladder) for ladder in ladders],
        "evenings": [],
    }
    return import_season(document=document, club=club, by=by)


@transaction.atomic
def delete_season(*, season: Season, new: tuple[int, ...] | list[int] = (), by: Actor) -> None:
    """Delete a season with its ladders and imported evenings.

    Events of the club are not deleted. `new` lists the players whom the import of the season
    added. They are deleted too, unless other data of the club refers to them.
    """
    season_row = Season.objects.select_for_update().filter(pk=season.pk).first()
    if season_row is None:
        return
    audit.record(by, "season.removed", subject=season_row, before={"name": season_row.name})
    season_row.delete()
    for player in Player.objects.filter(pk__in=new, club=season_row.club_id):
        _delete_unless_needed(player)


def _delete_unless_needed(player: Player) -> None:
    """Delete a player unless other data refers to the player."""
    try:
        with transaction.atomic():
            player.delete()
    except ProtectedError:
        pass


def _find_people(club: Club, file: SeasonFile, at: JsonPlace) -> dict[str, Player]:
    """Return the player for each person id of a file; new players are not saved yet."""
    known_players = load_players_by_key(club)
    numbers = {
        known_player.number: known_player
        for known_player in known_players.values()
        if known_player.number
    }
    people = {}
    for place, filed in at.items("players", file.people):
        player = known_players.get(build_name_key(filed.name)) or _build_new_player(club, filed)
        owner = numbers.get(filed.number) if filed.number else None
        if owner is not None and owner is not player:
            message = _("Another player of the club has the number %(number)s.")
            place.key("number").report(message, number=format_value(filed.number))
        people[filed.id] = player
    return people


def _build_new_player(club: Club, filed: FiledPerson) -> Player:
    kind = Player.Kind.MEMBER if filed.is_member else Player.Kind.VISITOR
    return Player(club=club, name=filed.name, number=filed.number, kind=kind)


def _write_ladders(season: Season, file: SeasonFile, people: Mapping[str, Player]) -> None:
    for order, filed in enumerate(file.ladders, start=1):
        row = Ladder.objects.create(
            season=season,
            slug=filed.slug,
            name=filed.name,
            rule=serialize_rule(filed.rule),
            order=order,
        )
        Handicap.objects.bulk_create(
            Handicap(ladder=row, player=people[key], a_board=str(amount))
            for key, amount in filed.handicaps.items()
        )


def _write_handicap(season: Season, file: SeasonFile, people: Mapping[str, Player]) -> None:
    filed_handicap = file.season.handicap
    if filed_handicap is None:
        return
    parsed_terms = read_terms(filed_handicap.terms)
    assert isinstance(parsed_terms, HandicapTerms), parsed_terms
    SeasonHandicap.objects.create(season=season, terms=serialize_terms(parsed_terms))
    HandicapByHand.objects.bulk_create(
        HandicapByHand(
            season=season,
            player=people[key],
            a_board=str(filed_row.a_board),
            reason=filed_row.reason,
        )
        for key, filed_row in filed_handicap.by_hand.items()
    )


def _write_evening(
    season: Season, filed: FiledEvening, file: SeasonFile, people: Mapping[str, Player]
) -> None:
    members = {person.id: person.is_member for person in file.people}
    evening = EveningElsewhere.objects.create(
        season=season,
        slug=filed.slug,
        date=filed.date,
        contest=filed.contest,
        boards=filed.boards,
    )
    rows = EntryElsewhere.objects.bulk_create(
        EntryElsewhere(
            evening=evening,
            number=number,
            team=entry.team,
            field=entry.field,
            score=str(entry.score),
            boards=filed.boards if entry.boards is None else entry.boards,
            percent="" if entry.percent is None else str(entry.percent),
            tricks="" if entry.tricks is None else str(entry.tricks),
            place=entry.place,
            handicap="" if entry.handicap is None else str(entry.handicap),
        )
        for number, entry in enumerate(filed.entries, start=1)
    )
    SeatElsewhere.objects.bulk_create(
        SeatElsewhere(
            evening=evening,
            entry=row,
            player=people[key],
            order=order,
            was_member=members[key] if entry.visitors is None else key not in entry.visitors,
        )
        for row, entry in zip(rows, filed.entries, strict=True)
        for order, key in enumerate(entry.people, start=1)
    )
