"""Parsing of a draw's input from plain data; each problem has its position and a solution."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Literal

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError
from server.json_reader.formats import Key, list_of, read_document, report_duplicates, row_of
from server.json_reader.problems import JsonPlace, UnreadableJson, format_value
from server.json_reader.values import whole_number
from server.translation import gettext_noop
from tournaments.swiss.field import (
    DrawField,
    DrawMethod,
    DrawnRound,
    Entry,
    Id,
    MetCouple,
    OddRule,
    read_id,
)

MAX_ENTRIES = 1_000
MAX_ROUNDS = 200
RoundNumber = Annotated[int, whole_number(1, MAX_ROUNDS)]


class UnreadableField(WhistError, UnreadableJson):
    """An error for input from which no round can be drawn.

    Each problem has its position and a solution.
    """

    code = "unreadable_field"

    def __str__(self) -> str:
        """Return the first problem, because the command prints a single line."""
        return self.problems[0]


@dataclass(frozen=True, slots=True)
class FiledRound:
    """An earlier round in the input; by default its number is its position in the list."""

    session: RoundNumber | None
    number: Annotated[int, Key("round"), whole_number(1, MAX_ROUNDS)] = 0
    pairings: tuple[MetCouple, ...] = ()
    sit_out: tuple[Annotated[Id, read_id], ...] = ()

    def ids(self, at: JsonPlace) -> Iterator[tuple[JsonPlace, Id]]:
        """Yield the ids of the entries that met or sat out, with their positions."""
        for place, each in at.items("pairings", self.pairings):
            yield place.key("ns"), each.ns
            yield place.key("ew"), each.ew
        yield from at.items("sit_out", self.sit_out)

    def validate(self, at: JsonPlace) -> None:
        """Report each entry that has two matches or sit-outs in the round."""
        report_duplicates(self.ids(at))


@dataclass(frozen=True, slots=True)
class FiledField:
    """The input of a draw as parsed from plain data."""

    entries: Annotated[tuple[Entry, ...], list_of(Entry, 0, MAX_ENTRIES)]
    round: RoundNumber = 1
    seed: str = ""
    history: tuple[FiledRound, ...] = ()
    apart: Annotated[
        tuple[tuple[Id, Id], ...],
        list_of(
            row_of(
                read_id, read_id, description=gettext_noop("enter the numbers of two entries.")
            )
        ),
    ] = ()
    kind: Literal["pairs", "teams"] = "pairs"
    method: DrawMethod = DrawMethod.SWISS
    odd: OddRule = OddRule.SIT_OUT
    rounds: Annotated[int, whole_number(1, MAX_ROUNDS)] = 0

    def validate(self, at: JsonPlace) -> None:
        """Report too few entries, and ids that are not unique."""
        entries = at.items("entries", self.entries)
        report_duplicates((place.key("id"), each.id) for place, each in entries)
        if sum(not each.left for each in self.entries) < 2:
            at.key("entries").report(_("at least two must play."))
        if self.odd is OddRule.THREE_WAY and self.kind != "teams":
            at.key("odd").report(_("only teams can play three-way. Enter sit-out."))
        known_ids = {each.id for each in self.entries}
        for place, id_ in self._ids(at):
            if id_ not in known_ids:
                message = _("%(id)s is not an entry: list it among the entries.")
                place.report(message, id=format_value(id_))

    def _ids(self, at: JsonPlace) -> Iterator[tuple[JsonPlace, Id]]:
        for place, each in at.items("history", self.history):
            yield from each.ids(place)
        for place, couple in at.items("apart", self.apart):
            report_duplicates((place.item(n), id_) for n, id_ in enumerate(couple))
            yield from ((place.item(n), id_) for n, id_ in enumerate(couple))


def read_field(data: object) -> DrawField:
    """Parse the input of a draw from JSON text or data; raise UnreadableField."""
    filed = read_document(data, FiledField, UnreadableField)
    return DrawField(
        entries=filed.entries,
        round=filed.round,
        seed=filed.seed,
        history=tuple(
            DrawnRound(each.number or place, each.pairings, each.sit_out, each.session)
            for place, each in enumerate(filed.history, start=1)
        ),
        apart=frozenset(map(frozenset, filed.apart)),
        kind=filed.kind,
        method=filed.method,
        odd=filed.odd,
        rounds=filed.rounds,
    )


def compute_fingerprint(data: object) -> str:
    """Return the SHA-256 of an input's canonical JSON, as text."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256 {sha256(text.encode()).hexdigest()}"
