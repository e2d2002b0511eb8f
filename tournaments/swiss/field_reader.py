"""Parsing of a draw's input from plain data; each problem has its position and a solution."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Literal

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError
from server.json_reader.formats import (
    JsonKey,
    build_list_reader,
    build_row_reader,
    read_document,
    report_duplicates,
)
from server.json_reader.problems import JsonPath, UnreadableJson, format_value
from server.json_reader.values import build_whole_number_reader
from server.translation import gettext_noop
from tournaments.swiss.field import (
    DrawField,
    DrawMethod,
    DrawnRound,
    EarlierPairing,
    Entry,
    EntryId,
    OddRule,
    read_id,
)

MAX_ENTRIES = 1_000
MAX_ROUNDS = 200
RoundNumber = Annotated[int, build_whole_number_reader(1, MAX_ROUNDS)]


class UnreadableField(WhistError, UnreadableJson):
    """An error for input from which no round can be drawn.

    Each problem has its position and a solution.
    """

    code = "unreadable_field"

    def __str__(self) -> str:
        """Return the first problem, because the command prints a single line."""
        return self.problems[0]


@dataclass(frozen=True, slots=True)
class InputRound:
    """An earlier round in the input; the default number is the position in the list."""

    session: RoundNumber | None
    number: Annotated[int, JsonKey("round"), build_whole_number_reader(1, MAX_ROUNDS)] = 0
    pairings: tuple[EarlierPairing, ...] = ()
    sit_out: tuple[Annotated[EntryId, read_id], ...] = ()

    def iter_ids(self, json_path: JsonPath) -> Iterator[tuple[JsonPath, EntryId]]:
        """Yield the ids of the entries that met or sat out, with their places in the JSON."""
        for pairing_path, pairing in json_path.iter_items("pairings", self.pairings):
            yield pairing_path.get_key_path("ns"), pairing.ns
            yield pairing_path.get_key_path("ew"), pairing.ew
        yield from json_path.iter_items("sit_out", self.sit_out)

    def validate(self, json_path: JsonPath) -> None:
        """Report each entry that has two matches or sit-outs in the round."""
        report_duplicates(self.iter_ids(json_path))


@dataclass(frozen=True, slots=True)
class SwissDrawInput:
    """The input of a draw as parsed from plain data."""

    entries: Annotated[tuple[Entry, ...], build_list_reader(Entry, 0, MAX_ENTRIES)]
    round: RoundNumber = 1
    seed: str = ""
    history: tuple[InputRound, ...] = ()
    apart: Annotated[
        tuple[tuple[EntryId, EntryId], ...],
        build_list_reader(
            build_row_reader(
                read_id, read_id, description=gettext_noop("enter two pair or team numbers.")
            )
        ),
    ] = ()
    kind: Literal["pairs", "teams"] = "pairs"
    method: DrawMethod = DrawMethod.SWISS
    odd: OddRule = OddRule.SIT_OUT
    rounds: Annotated[int, build_whole_number_reader(1, MAX_ROUNDS)] = 0

    def validate(self, json_path: JsonPath) -> None:
        """Report too few entries, and ids that are not unique."""
        entries = json_path.iter_items("entries", self.entries)
        report_duplicates(
            (entry_path.get_key_path("id"), entry.id) for entry_path, entry in entries
        )
        if sum(not entry.left for entry in self.entries) < 2:
            json_path.get_key_path("entries").report(_("at least two must play."))
        if self.odd is OddRule.THREE_WAY and self.kind != "teams":
            json_path.get_key_path("odd").report(
                _("only teams can play three-way. Enter sit-out.")
            )
        known_ids = {entry.id for entry in self.entries}
        for id_path, id_ in self._iter_ids(json_path):
            if id_ not in known_ids:
                message = _("%(id)s isn’t in the list of entries. Add it there.")
                id_path.report(message, id=format_value(id_))

    def _iter_ids(self, json_path: JsonPath) -> Iterator[tuple[JsonPath, EntryId]]:
        for round_path, input_round in json_path.iter_items("history", self.history):
            yield from input_round.iter_ids(round_path)
        for pair_path, separated_ids in json_path.iter_items("apart", self.apart):
            paths_and_ids = [
                (pair_path.get_item_path(index), id_) for index, id_ in enumerate(separated_ids)
            ]
            report_duplicates(paths_and_ids)
            yield from paths_and_ids


def read_field(input_data: object) -> DrawField:
    """Parse the input of a draw from JSON text or data; raise UnreadableField."""
    parsed_draw_input = read_document(input_data, SwissDrawInput, UnreadableField)
    return DrawField(
        entries=parsed_draw_input.entries,
        round_number=parsed_draw_input.round,
        seed=parsed_draw_input.seed,
        earlier_rounds=tuple(
            DrawnRound(
                input_round.number or position,
                input_round.pairings,
                input_round.sit_out,
                input_round.session,
            )
            for position, input_round in enumerate(parsed_draw_input.history, start=1)
        ),
        separated_pairings=frozenset(map(frozenset, parsed_draw_input.apart)),
        kind=parsed_draw_input.kind,
        method=parsed_draw_input.method,
        odd_rule=parsed_draw_input.odd,
        last_protected_round=parsed_draw_input.rounds,
    )


def compute_fingerprint(input_data: object) -> str:
    """Return the SHA-256 of an input's canonical JSON, as text."""
    canonical_json = json.dumps(
        input_data, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return f"sha256 {sha256(canonical_json.encode()).hexdigest()}"
