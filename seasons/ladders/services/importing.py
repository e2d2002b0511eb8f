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
from clubs.services.people import load_players_by_name_key
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
    SeasonFile,
    SeasonFileEvening,
    SeasonFilePerson,
    read_season,
)
from server.json_reader.problems import JsonPath, Problems, format_value


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
    season_file = read_season(document)
    club = club or clubs.services.create_club(name=season_file.club.name, owner=None, by=by)
    # The lock makes a second upload of the same file wait for the first one.
    Club.objects.select_for_update().get(pk=club.pk)
    problems = Problems(UnusableFile)
    document_path, season_data = JsonPath("", problems), season_file.season
    if Season.objects.filter(slug=season_data.slug).exists():
        message = _("There’s already a season %(slug)s. Give this one its own slug.")
        document_path.get_key_path("season").get_key_path("slug").report(
            message, slug=season_data.slug
        )
    players_by_id = _find_people(club, season_file, document_path)
    problems.raise_if_any()
    new_players = [player for player in players_by_id.values() if player._state.adding]
    for player in new_players:
        player.save()
    season = Season.objects.create(
        club=club,
        slug=season_data.slug,
        name=season_data.name,
        first_day=season_data.first_day,
        last_day=season_data.last_day,
    )
    _write_ladders(season, season_file, players_by_id)
    _write_handicap(season, season_file, players_by_id)
    membership_by_id = {person.id: person.is_member for person in season_file.people}
    for evening in season_file.evenings:
        _write_evening(season, evening, players_by_id, membership_by_id)
    audit.record(
        by,
        "season.imported",
        subject=season,
        after={
            "name": season.name,
            "evenings": len(season_file.evenings),
            "new": len(new_players),
        },
        undo=Undo(
            ("season",),
            "season.remove",
            {"new": [player.pk for player in new_players]},
        ),
    )
    return season


@transaction.atomic
def create_season(
    *,
    club: Club,
    name: str,
    first_day: Date,
    last_day: Date,
    ladders: Sequence[Mapping[str, Any]],
    by: Actor,
) -> Season:
    """Create a season with its ladders; a second call with the same values has no effect.

    Raises UnusableFile for values that a season file must not have.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    season_name = " ".join(name.split())
    existing_season = Season.objects.filter(
        club=club, name=season_name, first_day=first_day, last_day=last_day
    ).first()
    if existing_season is not None:
        return existing_season
    season_days = {"from": first_day.isoformat(), "to": last_day.isoformat()}
    slug = create_free_slug(slugify(season_name)[:50] or "season", Season)
    document = {
        "format": FORMAT,
        "club": {"name": club.name},
        "players": [],
        "season": {"slug": slug, "name": season_name, **season_days},
        "ladders": [dict(ladder) for ladder in ladders],
        "evenings": [],
    }
    return import_season(document=document, club=club, by=by)


@transaction.atomic
def delete_season(
    *, season: Season, new_player_pks: tuple[int, ...] | list[int] = (), by: Actor
) -> None:
    """Delete a season with its ladders and imported evenings.

    Events of the club are not deleted. `new_player_pks` lists the players whom the import of
    the season added. These players are deleted too, unless other data of the club refers to
    them.
    """
    season_row = Season.objects.select_for_update().filter(pk=season.pk).first()
    if season_row is None:
        return
    audit.record(by, "season.removed", subject=season_row, before={"name": season_row.name})
    season_row.delete()
    for player in Player.objects.filter(pk__in=new_player_pks, club=season_row.club_id):
        _delete_unused_player(player)


def _delete_unused_player(player: Player) -> None:
    """Delete a player unless other data refers to the player."""
    try:
        with transaction.atomic():
            player.delete()
    except ProtectedError:
        pass


def _find_people(club: Club, season_file: SeasonFile, json_path: JsonPath) -> dict[str, Player]:
    """Return the player for each person id of a file; new players are not saved yet."""
    players_by_name_key = load_players_by_name_key(club)
    players_by_number = {
        existing_player.number: existing_player
        for existing_player in players_by_name_key.values()
        if existing_player.number
    }
    players_by_id = {}
    for item_path, person_data in json_path.iter_items("players", season_file.people):
        player = players_by_name_key.get(build_name_key(person_data.name)) or _build_new_player(
            club, person_data
        )
        player_with_number = (
            players_by_number.get(person_data.number) if person_data.number else None
        )
        if player_with_number is not None and player_with_number is not player:
            message = _("Another player of the club has the number %(number)s.")
            item_path.get_key_path("number").report(
                message, number=format_value(person_data.number)
            )
        players_by_id[person_data.id] = player
    return players_by_id


def _build_new_player(club: Club, person_data: SeasonFilePerson) -> Player:
    player_kind = Player.Kind.MEMBER if person_data.is_member else Player.Kind.VISITOR
    return Player(club=club, name=person_data.name, number=person_data.number, kind=player_kind)


def _write_ladders(
    season: Season, season_file: SeasonFile, players_by_id: Mapping[str, Player]
) -> None:
    for order, ladder_data in enumerate(season_file.ladders, start=1):
        ladder = Ladder.objects.create(
            season=season,
            slug=ladder_data.slug,
            name=ladder_data.name,
            rule=serialize_rule(ladder_data.rule),
            order=order,
        )
        Handicap.objects.bulk_create(
            Handicap(ladder=ladder, player=players_by_id[person_id], a_board=str(handicap))
            for person_id, handicap in ladder_data.handicaps.items()
        )


def _write_handicap(
    season: Season, season_file: SeasonFile, players_by_id: Mapping[str, Player]
) -> None:
    handicap_data = season_file.season.handicap
    if handicap_data is None:
        return
    parsed_terms = read_terms(handicap_data.terms)
    assert isinstance(parsed_terms, HandicapTerms), parsed_terms
    SeasonHandicap.objects.create(season=season, terms=serialize_terms(parsed_terms))
    HandicapByHand.objects.bulk_create(
        HandicapByHand(
            season=season,
            player=players_by_id[person_id],
            a_board=str(director_handicap.a_board),
            reason=director_handicap.reason,
        )
        for person_id, director_handicap in handicap_data.by_hand.items()
    )


def _write_evening(
    season: Season,
    evening_data: SeasonFileEvening,
    players_by_id: Mapping[str, Player],
    membership_by_id: Mapping[str, bool],
) -> None:
    evening = EveningElsewhere.objects.create(
        season=season,
        slug=evening_data.slug,
        date=evening_data.date,
        contest=evening_data.contest,
        boards=evening_data.boards,
    )
    stored_entries = EntryElsewhere.objects.bulk_create(
        EntryElsewhere(
            evening=evening,
            number=entry_number,
            team=entry_data.team,
            field=entry_data.field,
            score=str(entry_data.score),
            boards=evening_data.boards if entry_data.boards is None else entry_data.boards,
            percent="" if entry_data.percent is None else str(entry_data.percent),
            tricks="" if entry_data.tricks is None else str(entry_data.tricks),
            place=entry_data.place,
            handicap="" if entry_data.handicap is None else str(entry_data.handicap),
        )
        for entry_number, entry_data in enumerate(evening_data.entries, start=1)
    )
    SeatElsewhere.objects.bulk_create(
        SeatElsewhere(
            evening=evening,
            entry=stored_entry,
            player=players_by_id[person_id],
            order=order,
            was_member=membership_by_id[person_id]
            if entry_data.visitors is None
            else person_id not in entry_data.visitors,
        )
        for stored_entry, entry_data in zip(stored_entries, evening_data.entries, strict=True)
        for order, person_id in enumerate(entry_data.people, start=1)
    )
