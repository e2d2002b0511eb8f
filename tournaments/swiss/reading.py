"""A field from plain data, with the place and the cure of whatever is wrong in it."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from re import fullmatch
from typing import Any

from boards.whist.errors import WhistError
from boards.whist.words import gettext as _
from tournaments.movements.words import either
from tournaments.swiss.field import Entry, Field, Id, Met, Method, Odd, Round, Seat

MOST_ENTRIES = 1_000
MOST_ROUNDS = 200
KEYS = {"kind", "round", "seed", "entries", "history", "apart", "method", "odd", "rounds"}
ENTRY_KEYS = {"id", "name", "score", "seat", "left"}
ROUND_KEYS = {"round", "pairings", "sit_out", "session"}
PAIRING_KEYS = {"ns", "ew", "table"}


class UnreadableField(WhistError, ValueError):
    """Data from which no round can be drawn: one line with the place and the cure."""

    code = "unreadable_field"

    def __init__(self, where: str, cure: str) -> None:
        super().__init__(f"{where}: {cure}")


def field_of(data: object) -> Field:
    """Read what a draw is made from. Raises UnreadableField."""
    given = _group(data, _("the file"))
    _refuse_others(given, KEYS)
    entries = _entries(given.get("entries"))
    known = {entry.id for entry in entries}
    kind = _one_of(given.get("kind", "pairs"), ("pairs", "teams"), "kind")
    odd = Odd(_one_of(given.get("odd", "sit-out"), [str(each) for each in Odd], "odd"))
    if odd is Odd.THREE_WAY and kind != "teams":
        raise UnreadableField("odd", _("only teams play three-way: write sit-out."))
    return Field(
        entries=entries,
        round=_count(given.get("round", 1), "round", MOST_ROUNDS),
        seed=_text(given.get("seed", ""), "seed"),
        history=tuple(_history(given.get("history", []), known)),
        apart=frozenset(_apart(given.get("apart", []), known)),
        kind=kind,
        method=Method(
            _one_of(given.get("method", "swiss"), [str(each) for each in Method], "method")
        ),
        odd=odd,
        rounds=_count(given["rounds"], "rounds", MOST_ROUNDS) if "rounds" in given else 0,
    )


def fingerprint(data: object) -> str:
    """Tell one input from another: the SHA-256 of its canonical JSON."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256 {sha256(text.encode()).hexdigest()}"


def _entries(data: object) -> tuple[Entry, ...]:
    listed = _list(data, "entries")
    if len(listed) > MOST_ENTRIES:
        raise UnreadableField(
            "entries",
            _("there are %(count)s: at most %(most)s can be drawn.")
            % {"count": len(listed), "most": f"{MOST_ENTRIES:,}"},
        )
    found: dict[Id, Entry] = {}
    for number, each in enumerate(listed):
        where = f"entries[{number}]"
        entry = _entry(_group(each, where), where)
        if entry.id in found:
            raise UnreadableField(
                f"{where}.id", _("%(id)s is there twice: give each its own.") % {"id": entry.id}
            )
        found[entry.id] = entry
    if sum(not entry.left for entry in found.values()) < 2:
        raise UnreadableField("entries", _("fewer than two play: enter at least two."))
    return tuple(found.values())


def _entry(given: Mapping[str, Any], where: str) -> Entry:
    _refuse_others(given, ENTRY_KEYS, f"{where}.")
    if "id" not in given:
        raise UnreadableField(where, _("has no id: give each entry a number of its own."))
    left = given.get("left", False)
    if not isinstance(left, bool):
        raise UnreadableField(f"{where}.left", _("must be true or false."))
    seats = [str(each) for each in Seat if each]
    seat = given.get("seat", "")
    return Entry(
        id=_id(given["id"], f"{where}.id"),
        score=_score(given.get("score", "0"), f"{where}.score"),
        name=_text(given.get("name", ""), f"{where}.name"),
        seat=Seat.ANY if seat in ("", None) else Seat(_one_of(seat, seats, f"{where}.seat")),
        left=left,
    )


def _history(data: object, known: set[Id]) -> list[Round]:
    found = []
    for number, each in enumerate(_list(data, "history")):
        where = f"history[{number}]"
        given = _group(each, where)
        _refuse_others(given, ROUND_KEYS, f"{where}.")
        seen: set[Id] = set()
        pairings = []
        for place, pairing in enumerate(_list(given.get("pairings", []), f"{where}.pairings")):
            at = f"{where}.pairings[{place}]"
            row = _group(pairing, at)
            _refuse_others(row, PAIRING_KEYS, f"{at}.")
            ns, ew = (_known(row.get(key), f"{at}.{key}", known, seen) for key in ("ns", "ew"))
            table = row.get("table")
            pairings.append(
                Met(ns, ew, None if table is None else _count(table, f"{at}.table", 10_000))
            )
        out = [
            _known(id_, f"{where}.sit_out[{place}]", known, seen)
            for place, id_ in enumerate(_list(given.get("sit_out", []), f"{where}.sit_out"))
        ]
        round_ = _count(given.get("round", number + 1), f"{where}.round", MOST_ROUNDS)
        session = given.get("session")
        if session is not None:
            session = _count(session, f"{where}.session", MOST_ROUNDS)
        found.append(Round(round_, tuple(pairings), tuple(out), session))
    return found


def _refuse_others(given: Mapping[str, Any], keys: set[str], where: str = "") -> None:
    """Refuse a key that is not one of these, so that no slip is dropped in silence."""
    strange = next(iter(sorted(set(given) - keys)), None)
    if strange is None:
        return
    told = strange if strange.isprintable() and len(strange) <= 40 else json.dumps(strange)[:40]
    raise UnreadableField(
        f"{where}{told}", _("is not known here: use %(keys)s.") % {"keys": either(sorted(keys))}
    )


def _known(data: object, where: str, known: set[Id], seen: set[Id]) -> Id:
    id_ = _id(data, where)
    if id_ not in known:
        raise UnreadableField(
            where, _("%(id)s is not an entry: list it among the entries.") % {"id": id_}
        )
    if id_ in seen:
        raise UnreadableField(
            where,
            _("%(id)s is there twice in the round: each plays or sits out once.") % {"id": id_},
        )
    seen.add(id_)
    return id_


def _apart(data: object, known: set[Id]) -> list[frozenset[Id]]:
    found = []
    for number, each in enumerate(_list(data, "apart")):
        where = f"apart[{number}]"
        couple = _list(each, where)
        if len(couple) != 2:
            raise UnreadableField(where, _("name two entries."))
        seen: set[Id] = set()
        found.append(
            frozenset(
                _known(id_, f"{where}[{at}]", known, seen) for at, id_ in enumerate(couple)
            )
        )
    return found


def _id(data: object, where: str) -> Id:
    if isinstance(data, bool) or not isinstance(data, int | str) or data == "":
        raise UnreadableField(where, _("must be a whole number or a name in quotes."))
    return _text(data, where) if isinstance(data, str) else data


def _score(data: object, where: str) -> Fraction:
    text = str(data) if isinstance(data, int) and not isinstance(data, bool) else data
    if not isinstance(text, str) or not fullmatch(r"[-+]?[0-9]{1,7}(\.[0-9]{1,2})?", text):
        raise UnreadableField(
            where, _("must be a decimal of at most two places in quotes, such as “12.25”.")
        )
    return Fraction(text)


def _count(data: object, where: str, most: int) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or not 1 <= data <= most:
        raise UnreadableField(
            where, _("must be a whole number from 1 to %(most)s.") % {"most": most}
        )
    return data


def _text(data: object, where: str) -> str:
    if not isinstance(data, str) or len(data) > 200 or not data.isprintable():
        raise UnreadableField(where, _("must be a line of text of at most 200 letters."))
    return data


def _one_of(data: object, known: Sequence[str], where: str) -> str:
    if not isinstance(data, str) or data not in known:
        raise UnreadableField(
            where,
            _("%(given)s is not known: write %(known)s.")
            % {"given": json.dumps(data)[:40], "known": either(list(known))},
        )
    return data


def _group(data: object, where: str) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise UnreadableField(where, _("must be a group in braces { }."))
    return data


def _list(data: object, where: str) -> list[Any]:
    if not isinstance(data, list):
        raise UnreadableField(where, _("must be a list in brackets [ ]."))
    return data
