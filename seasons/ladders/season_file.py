"""The `whist-season/1` file format: its schema, import and export."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any

from django.utils.translation import gettext as _

from clubs.file_fields import Day, Slug, UnusableFile, build_line_reader
from clubs.models import Player
from clubs.names.tidy import build_name_key
from seasons.ladders.models import Ladder, Season
from seasons.ladders.rules import LadderEntry, LadderEvening, evenings, read_rule
from seasons.ladders.rules.handicaps import (
    TERM_KEYS,
    HandicapTerms,
    read_terms,
    serialize_terms,
)
from seasons.ladders.rules.rule import MEASURE_PERCENT, MEASURE_PLUS, RULE_KEYS
from seasons.ladders.season_evenings import load_season_evenings
from seasons.ladders.season_tables import add_handicaps, load_season_terms
from server.json_reader.formats import (
    JsonKey,
    JsonKeys,
    build_list_reader,
    read_document,
    report_duplicates,
)
from server.json_reader.problems import JsonPath, format_value
from server.json_reader.values import (
    build_choice_reader,
    build_converting_reader,
    build_number_or_text_reader,
    build_whole_number_reader,
    read_anything,
)

FORMAT = "whist-season/1"
MAX_BOARDS = 1000
MAX_PLACE = 100_000
MAX_PEOPLE, MAX_EVENINGS, MAX_LADDERS = 5_000, 600, 100
Title = Annotated[str, build_line_reader(100)]


PersonId = Annotated[
    str,
    build_number_or_text_reader(
        build_converting_reader(str, read_anything), build_line_reader(60)
    ),
]


@dataclass(frozen=True, slots=True)
class SeasonFileClub:
    """The club of a season file, identified by its name."""

    name: Title


@dataclass(frozen=True, slots=True)
class SeasonFilePerson:
    """A person in a season file; entries refer to the person by `id`."""

    id: PersonId
    name: Annotated[str, build_line_reader(80)]
    is_member: Annotated[bool, JsonKey("member")]
    number: Annotated[str, build_line_reader(20)] = ""


@dataclass(frozen=True, slots=True)
class SeasonFileLadder:
    """A ladder in a season file: its stored rule, and its handicaps by the id of the person."""

    slug: Slug
    name: Title
    rule: Annotated[Mapping[str, Any], JsonKeys(RULE_KEYS)]
    handicaps: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeasonFileDirectorHandicap:
    """A person's handicap that the director set, with the reason."""

    a_board: Fraction
    reason: Annotated[str, build_line_reader(200)]


@dataclass(frozen=True, slots=True)
class SeasonFileHandicaps:
    """A season's rules for handicaps, and the director's handicaps by the id of the person."""

    terms: Annotated[Mapping[str, Any], JsonKeys(TERM_KEYS)]
    by_hand: Mapping[str, SeasonFileDirectorHandicap] = field(default_factory=dict)

    def validate(self, json_path: JsonPath) -> None:
        """Report each invalid handicap term."""
        parsed_terms = read_terms(self.terms)
        for fault in parsed_terms if isinstance(parsed_terms, list) else []:
            json_path.get_key_path(fault.setting).report(fault.message)


@dataclass(frozen=True, slots=True)
class SeasonFileSeason:
    """The season of a season file: its name, its range of days and its handicap."""

    slug: Slug
    name: Title
    first_day: Annotated[Day, JsonKey("from")]
    last_day: Annotated[Day, JsonKey("to")]
    handicap: SeasonFileHandicaps | None

    @property
    def handicap_unit(self) -> str:
        """The unit of the season's handicap; "" if it has none."""
        parsed_terms = read_terms(self.handicap.terms) if self.handicap else []
        return parsed_terms.figure if isinstance(parsed_terms, HandicapTerms) else ""

    def validate(self, json_path: JsonPath) -> None:
        """Report an error if the last day is before the first."""
        if self.last_day < self.first_day:
            json_path.get_key_path("to").report(_("The last day is before the first day."))


@dataclass(frozen=True, slots=True)
class SeasonFileEntry:
    """An entry (pair, player or team) of an evening in a season file."""

    people: Annotated[
        tuple[str, ...], JsonKey("players"), build_list_reader(PersonId, min_length=1)
    ]
    score: Fraction
    boards: Annotated[int | None, build_whole_number_reader(0, MAX_BOARDS)]
    percent: Fraction | None
    tricks: Fraction | None
    place: Annotated[int | None, build_whole_number_reader(1, MAX_PLACE)]
    handicap: Fraction | None
    visitors: tuple[PersonId, ...] | None  # None: the players whose `member` is false
    team: Annotated[str, build_line_reader(100)] = ""
    field: Annotated[str, build_line_reader(20)] = ""

    def validate(self, json_path: JsonPath) -> None:
        """Report each visitor who is not a player of the entry."""
        for item_path, visitor_id in json_path.iter_items("visitors", self.visitors or ()):
            if visitor_id not in self.people:
                message = _("%(shown)s isn’t one of this entry’s players.")
                item_path.report(message, shown=format_value(visitor_id))


@dataclass(frozen=True, slots=True)
class SeasonFileEvening:
    """An evening in a season file, with its entries."""

    slug: Slug
    date: Day
    boards: Annotated[int, build_whole_number_reader(1, MAX_BOARDS)]
    entries: tuple[SeasonFileEntry, ...]
    contest_in_file: Annotated[
        str, JsonKey("contest"), build_choice_reader(evenings.ALL_CONTESTS)
    ] = ""

    @property
    def contest(self) -> str:
        """The contest of the evening.

        If the file does not specify the contest, it is derived from the team names and the
        number of players per entry.
        """
        if self.contest_in_file:
            return self.contest_in_file
        if any(entry.team for entry in self.entries):
            return evenings.TEAMS
        is_single = bool(self.entries) and all(len(entry.people) == 1 for entry in self.entries)
        return evenings.INDIVIDUAL if is_single else evenings.PAIRS

    def validate(self, json_path: JsonPath) -> None:
        """Report each player who is in two entries, and each duplicate team name."""
        report_duplicates(self.iter_players(json_path))
        entries = json_path.iter_items("entries", self.entries)
        report_duplicates(
            (item_path.get_key_path("team"), entry_data.team)
            for item_path, entry_data in entries
        )

    def iter_players(self, json_path: JsonPath) -> Iterator[tuple[JsonPath, str]]:
        """Yield the id of each player of the evening, with its path in the file."""
        for item_path, entry in json_path.iter_items("entries", self.entries):
            yield from item_path.iter_items("players", entry.people)


@dataclass(frozen=True, slots=True)
class SeasonFile:
    """The content of a season file: the club, its people, the season, ladders and evenings."""

    club: SeasonFileClub
    people: Annotated[
        tuple[SeasonFilePerson, ...],
        JsonKey("players"),
        build_list_reader(SeasonFilePerson, max_length=MAX_PEOPLE),
    ]
    season: SeasonFileSeason
    ladders: Annotated[
        tuple[SeasonFileLadder, ...],
        build_list_reader(SeasonFileLadder, max_length=MAX_LADDERS),
    ]
    evenings: Annotated[
        tuple[SeasonFileEvening, ...],
        build_list_reader(SeasonFileEvening, max_length=MAX_EVENINGS),
    ]

    def validate(self, json_path: JsonPath) -> None:
        """Report each invalid reference between the parts of the file."""
        paths_and_people = list(json_path.iter_items("players", self.people))
        report_duplicates(
            (item_path.get_key_path("id"), person.id) for item_path, person in paths_and_people
        )
        report_duplicates(
            (item_path.get_key_path("name"), build_name_key(person.name))
            for item_path, person in paths_and_people
        )
        report_duplicates(
            (item_path.get_key_path("number"), person.number)
            for item_path, person in paths_and_people
        )
        self._check_ladders(list(json_path.iter_items("ladders", self.ladders)))
        self._check_evenings(list(json_path.iter_items("evenings", self.evenings)))
        if self.season.handicap:
            handicaps_json_path = (
                json_path.get_key_path("season")
                .get_key_path("handicap")
                .get_key_path("by_hand")
            )
            self._check_ids(self.season.handicap.by_hand, handicaps_json_path)

    def _check_ladders(
        self, paths_and_ladders: list[tuple[JsonPath, SeasonFileLadder]]
    ) -> None:
        report_duplicates(
            (json_path.get_key_path("slug"), ladder.slug)
            for json_path, ladder in paths_and_ladders
        )
        for json_path, ladder in paths_and_ladders:
            self._check_ids(ladder.handicaps, json_path.get_key_path("handicaps"))
            handicaps_by_index = dict(enumerate(ladder.handicaps.values()))
            parsed_rule = read_rule(ladder.rule, handicaps_by_index, self.season.handicap_unit)
            for fault in parsed_rule if isinstance(parsed_rule, list) else []:
                json_path.get_key_path(fault.setting).report(fault.message)

    def _check_evenings(
        self, paths_and_evenings: list[tuple[JsonPath, SeasonFileEvening]]
    ) -> None:
        report_duplicates(
            (json_path.get_key_path("slug"), evening.slug)
            for json_path, evening in paths_and_evenings
        )
        known_ids = self.person_ids
        for json_path, evening in paths_and_evenings:
            if not self.season.first_day <= evening.date <= self.season.last_day:
                json_path.get_key_path("date").report(_("This day isn’t in the season."))
            for player_path, player_id in evening.iter_players(json_path):
                if player_id not in known_ids:
                    message = _("No player has the id %(shown)s.")
                    player_path.report(message, shown=format_value(player_id))

    @property
    def person_ids(self) -> set[str]:
        """The ids of all people."""
        return {person.id for person in self.people}

    def _check_ids(self, values_by_id: Mapping[str, object], json_path: JsonPath) -> None:
        for person_id in values_by_id.keys() - self.person_ids:
            json_path.get_key_path(person_id).report(_("No player has this id."))


def read_season(document: bytes | str | Mapping[str, Any]) -> SeasonFile:
    """Parse and validate a season file; raise UnusableFile with all problems of the file."""
    return read_document(document, SeasonFile, UnusableFile, format=FORMAT)


def build_season_document(season: Season) -> dict[str, Any]:
    """Return the content of a season file for export, with the full names of people.

    Events of this program are exported like imported evenings: with places and scores, but
    without the results of single boards.
    """
    evenings = load_season_evenings(season, (MEASURE_PLUS, MEASURE_PERCENT))
    handicap_terms = load_season_terms(season)
    if handicap_terms is not None:
        evenings = add_handicaps(season, handicap_terms, evenings)
    player_pks = {
        player_pk
        for evening in evenings
        for entry in evening.entries
        for player_pk in entry.person_pks
    }
    ladders = list(season.ladders.prefetch_related("handicaps"))
    player_pks |= {
        handicap.player_id for ladder in ladders for handicap in ladder.handicaps.all()
    }
    player_pks |= set(season.by_hand.values_list("player", flat=True))
    players = sorted(Player.objects.filter(pk__in=player_pks), key=lambda player: player.name)
    entries = [entry for evening in evenings for entry in evening.entries]
    visitor_pks = {player_pk for entry in entries for player_pk in entry.visitor_pks}
    visitor_pks -= {
        player_pk for entry in entries for player_pk in {*entry.person_pks} - entry.visitor_pks
    }
    return {
        "format": FORMAT,
        "club": {"name": season.club.name},
        "players": [
            _serialize_person(person, person.pk not in visitor_pks) for person in players
        ],
        "season": {
            "slug": season.slug,
            "name": season.name,
            "from": season.first_day.isoformat(),
            "to": season.last_day.isoformat(),
            **_build_handicap_data(season, handicap_terms),
        },
        "ladders": [_serialize_ladder(ladder) for ladder in ladders],
        "evenings": [
            _serialize_evening(evening, visitor_pks) for evening in evenings if evening.entries
        ],
    }


def _serialize_person(player: Player, is_member: bool) -> dict[str, Any]:
    number_data = {"number": player.number} if player.number else {}
    return {"id": str(player.pk), "name": player.name, "member": is_member, **number_data}


def _build_handicap_data(
    season: Season, handicap_terms: HandicapTerms | None
) -> dict[str, Any]:
    if handicap_terms is None:
        return {}
    handicaps_by_player = {
        str(director_handicap.player_id): {
            "a_board": director_handicap.a_board,
            "reason": director_handicap.reason,
        }
        for director_handicap in season.by_hand.all()
    }
    return {
        "handicap": serialize_terms(handicap_terms)
        | ({"by_hand": handicaps_by_player} if handicaps_by_player else {})
    }


def _serialize_ladder(ladder: Ladder) -> dict[str, Any]:
    handicaps_by_player = {
        str(handicap.player_id): handicap.a_board for handicap in ladder.handicaps.all()
    }
    handicap_data = {"handicaps": handicaps_by_player} if handicaps_by_player else {}
    return {"slug": ladder.slug, "name": ladder.name, **ladder.rule, **handicap_data}


def _serialize_evening(evening: LadderEvening, visitor_pks: Set[int]) -> dict[str, Any]:
    return {
        "slug": evening.key[:60],
        "date": evening.day,
        "boards": max(evening.max_board_count, 1),
        "contest": evening.contest,
        "entries": list(_iter_entry_data(evening.entries, visitor_pks)),
    }


def _iter_entry_data(
    entries: Iterable[LadderEntry], visitor_pks: Set[int]
) -> Iterable[dict[str, Any]]:
    """Yield an evening's entries in the format of a season file.

    `visitor_pks` are the people who were visitors at all evenings of the season. An entry
    lists its visitors only if they differ from this set.
    """
    for entry in entries:
        if not entry.person_pks:
            continue  # e.g. a drive player who is not linked to a player of the club
        optional_values: dict[str, Any] = {
            "team": entry.team_name,
            "field": entry.ranked_group_code,
            "percent": _format_fraction(entry.percent),
            "tricks": _format_fraction(entry.tricks),
            "place": entry.place,
            "handicap": _format_fraction(entry.handicap),
        }
        if entry.visitor_pks != visitor_pks & {*entry.person_pks}:
            optional_values["visitors"] = [
                str(player_pk) for player_pk in sorted(entry.visitor_pks)
            ]
        score = entry.score if entry.plus is None else entry.plus
        yield {
            "players": [str(player_pk) for player_pk in entry.person_pks],
            "score": _format_fraction(score or Fraction()),
            "boards": entry.board_count,
            **{key: value for key, value in optional_values.items() if value not in (None, "")},
        }


def _format_fraction(number: Fraction | None) -> str | None:
    return None if number is None else str(number)
