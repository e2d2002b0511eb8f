"""What the command `rubber` reads and writes: JSON, as docs/rubber.md shows it.

Whatever is wrong is refused with its place in front, on one line, and nothing is guessed: a
name that nobody knows is an error, for a word spelt otherwise would be forgotten in silence.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NoReturn

from boards.whist.words import gettext as _
from drives.rubber.codes import Code, code_named
from drives.rubber.cutting import Cut, Outgoing, Table, cut_in, go_out
from drives.rubber.dummy import DUMMY, check_revokes, is_seating
from drives.rubber.errors import UnplayableHand, UnreadableRubber, shown
from drives.rubber.hands import Count, Hand, Penalty, Revoke, Side
from drives.rubber.reckoning import Game, Reckoning, Rubber, reckon, remainder
from drives.rubber.terms import RubberTerms, changed

HEAD = {"format", "version", "name"}
"""What any file may say of itself; it alters nothing."""
RUBBER_KEYS = HEAD | {"code", "terms", "sides", "hands", "closed"}
HAND_KEYS = {"tricks", "honours", "claimed", "revokes", "called"}
CUT_KEYS = HEAD | {"players", "cuts", "consecutive", "out"}
CARDS = {"A": 1, "J": 11, "Q": 12, "K": 13, "T": 10} | {str(n): n for n in range(2, 11)}
LONGEST_NAME = 100


@dataclass(frozen=True, kw_only=True)
class RubberFile:
    """The hands of four players with what they are scored by."""

    code: Code
    terms: RubberTerms
    sides: Mapping[Side, tuple[str, str]] | None
    hands: tuple[Hand, ...]
    closed: bool
    """Whether the night is over, so that an unfinished rubber is settled."""


def score_text(text: str) -> dict[str, object]:
    """Score the text of a rubber file. Raises UnreadableRubber."""
    file = read_rubber(text)
    reckoning = reckon(file.terms, file.hands)
    told = reckoning_data(reckoning)
    if file.closed:
        left = remainder(file.terms, reckoning)
        told["unfinished"] = left and left._asdict()
    return told


def cut_text(text: str) -> dict[str, object]:
    """Tell what the cuts of a file say, for the table or for going out.

    Raises UnreadableRubber.
    """
    file = as_object(loaded(text), _("file"), CUT_KEYS)
    players = _names(file.get("players"), _("players"))
    cuts = as_list(_or(file.get("cuts"), []), _("cuts"))
    read = [_cut(cut, _("cut %s") % number) for number, cut in enumerate(cuts, start=1)]
    if "consecutive" in file or "out" in file:
        return _outgoing(file, players, read)
    return table_data(cut_in(players, read), len(players))


def read_rubber(text: str) -> RubberFile:
    """Read the text of a rubber file; its terms are those of its code with its changes.

    Raises UnreadableRubber.
    """
    file = as_object(loaded(text), _("file"), RUBBER_KEYS)
    try:
        code = code_named(file.get("code"))
    except UnplayableHand as problem:
        raise UnreadableRubber.at(_("code"), problem) from None
    try:
        terms = changed(code.terms, as_object(_or(file.get("terms"), {}), _("terms")))
    except UnplayableHand as problem:
        raise UnreadableRubber.at(_("terms"), problem) from None
    if "hands" not in file:
        raise UnreadableRubber.at(_("file"), _("the hands are missing"))
    sides = _sides(file.get("sides"))
    hands = as_list(file["hands"], _("hands"))
    return RubberFile(
        code=code,
        terms=terms,
        sides=sides,
        hands=tuple(
            _hand_of(sides, hand, _("hand %s") % number)
            for number, hand in enumerate(hands, start=1)
        ),
        closed=as_flag(file.get("closed"), _("closed")),
    )


def _hand_of(sides: Mapping[Side, tuple[str, str]] | None, data: object, place: str) -> Hand:
    hand = read_hand(data, place)
    try:
        check_revokes(sides, hand)
    except UnplayableHand as problem:
        raise UnreadableRubber.at(place, problem) from None
    return hand


def read_hand(data: object, place: str) -> Hand:
    """Read one hand as a file has it; `place` is what an error begins with.

    Honours that are written down are claimed unless it says otherwise.
    Raises UnreadableRubber.
    """
    hand = as_object(data, place, HAND_KEYS)
    tricks, called = hand.get("tricks"), hand.get("called")
    revokes = as_list(_or(hand.get("revokes"), []), place)
    try:
        return Hand(
            tricks=None if tricks is None else _count(tricks, place, _("tricks")),
            honours=_honours(hand.get("honours"), place),
            claimed=as_flag(hand.get("claimed"), place, otherwise=True),
            revokes=tuple(_revoke(each, place) for each in revokes),
            called=None if called is None else _side(called, place),
        )
    except UnplayableHand as problem:
        raise UnreadableRubber.at(place, problem) from None


def reckoning_data(reckoning: Reckoning) -> dict[str, object]:
    """Write a reckoning as the command prints it."""
    return {
        "hands": [
            {
                "hand": scored.number,
                "lines": [
                    {"side": line.side, "from": line.origin, "points": line.points}
                    for line in scored.lines
                ],
                "score": _count_data(scored.score),
                "game": scored.game and _game_data(scored.game),
                "rubber": scored.rubber and _rubber_data(scored.rubber),
            }
            for scored in reckoning.hands
        ],
        "games": [_game_data(game) for game in reckoning.games],
        "rubbers": [_rubber_data(rubber) for rubber in reckoning.rubbers],
        "score": _count_data(reckoning.score),
    }


def table_data(table: Table, players: int) -> dict[str, object]:
    """Write what cuts say: a dummy is null; who plays is given if more than four cut."""
    told: dict[str, object] = {
        "partners": table.partners
        and [[None if name == DUMMY else name for name in pair] for pair in table.partners],
        "dealer": "dummy" if table.dealer == DUMMY else table.dealer,
        "again": list(table.again),
    }
    if players > 4:
        told["playing"] = table.playing and list(table.playing)
    return told


def _outgoing(
    file: dict[str, object], players: list[str], cuts: list[Cut]
) -> dict[str, object]:
    place = _("consecutive")
    counts = as_object(file.get("consecutive"), place)
    if set(counts) != set(players):
        raise UnreadableRubber.at(place, _("a number for each player is needed"))
    out = as_whole(file.get("out", 1), _("out"), len(players))
    consecutive = {name: as_whole(counts[name], place) for name in players}
    found: Outgoing = go_out(consecutive, out, cuts)
    return {"out": list(found.out), "again": list(found.again)}


def _count_data(count: Count) -> dict[str, int]:
    return {side.value: count.of(side) for side in Side}


def _game_data(game: Game) -> dict[str, object]:
    return {"winner": game.winner, "losers": game.losers, "value": game.value}


def _rubber_data(rubber: Rubber) -> dict[str, object]:
    return {"winner": rubber.winner, "games": len(rubber.games), "points": rubber.points}


def _or(data: object, otherwise: object) -> object:
    """Take null as left out."""
    return otherwise if data is None else data


def loaded(text: str) -> object:
    """Read a text as JSON. Raises UnreadableRubber, which names the line."""
    place = _("file")
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except UnreadableRubber:
        raise
    except json.JSONDecodeError as problem:
        place = _("line %s") % problem.lineno
    except (ValueError, RecursionError):  # thousands of digits, or of brackets
        pass
    raise UnreadableRubber.at(place, _("this is not JSON"))


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    seen: dict[str, object] = {}
    for name, value in pairs:
        if name in seen:
            words = _("%(name)s stands twice in one object")
            raise UnreadableRubber.at(_("file"), words % {"name": shown(name)})
        seen[name] = value
    return seen


def _no_number(name: str) -> NoReturn:
    raise UnreadableRubber.at(_("file"), _("%(name)s is not a number") % {"name": name})


def as_object(data: object, place: str, known: Iterable[str] = ()) -> dict[str, object]:
    """Take an object; with `known` names it may have no others."""
    if not isinstance(data, dict):
        raise UnreadableRubber.at(place, _("an object in braces is needed"))
    strange = [name for name in data if known and name not in known]
    if strange:
        words = _("%(name)s is not known; known are %(names)s")
        told = {"name": shown(strange[0]), "names": ", ".join(sorted(known))}
        raise UnreadableRubber.at(place, words % told)
    return data


def as_list(data: object, place: str) -> list[object]:
    """Take a list."""
    if not isinstance(data, list):
        raise UnreadableRubber.at(place, _("a list in brackets is needed"))
    return data


def as_flag(data: object, place: str, *, otherwise: bool = False) -> bool:
    """Take true or false; null is `otherwise`."""
    if data is None:
        return otherwise
    if not isinstance(data, bool):
        words = _("%(value)s is neither true nor false")
        raise UnreadableRubber.at(place, words % {"value": shown(data)})
    return data


def as_whole(data: object, place: str, most: int = 9999) -> int:
    """Take a whole number from 0 up."""
    if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data <= most:
        words = _("%(value)s is not a whole number from 0 to %(most)s")
        raise UnreadableRubber.at(place, words % {"value": shown(data), "most": most})
    return data


def _count(data: object, place: str, what: str) -> Count:
    """Read a number for each side."""
    sides = as_object(data, f"{place}: {what}", set(Side))
    missing = [side for side in Side if side not in sides]
    if missing:
        words = _("those of side %(side)s are missing")
        raise UnreadableRubber.at(f"{place}: {what}", words % {"side": missing[0]})
    return Count(*(as_whole(sides[side], f"{place}: {what}", 13) for side in Side))


def _honours(data: object, place: str) -> Count:
    """Read honours, of which a side that holds none may be left out."""
    if data is None:
        return Count()
    held = as_object(data, f"{place}: {_('honours')}", set(Side))
    return _count(dict.fromkeys(Side, 0) | held, place, _("honours"))


def _side(data: object, place: str) -> Side:
    if not isinstance(data, str) or data not in list(Side):
        raise UnreadableRubber.at(
            place, _("%(value)s is neither A nor B") % {"value": shown(data)}
        )
    return Side(data)


def _revoke(data: object, place: str) -> Revoke:
    revoke = as_object(data, place, {"by", "penalty", "dummy"})
    by, penalty = _side(revoke.get("by"), place), revoke.get("penalty")
    if as_flag(revoke.get("dummy"), place):
        if penalty is not None:
            raise UnreadableRubber.at(place, _("a revoke of dummy has no penalty"))
        return Revoke(by, dummy=True)
    if penalty is None:
        return Revoke(by)
    if not isinstance(penalty, str) or penalty not in list(Penalty):
        words = _("a penalty is %(names)s, not %(value)s")
        told = {"names": ", ".join(Penalty), "value": shown(penalty)}
        raise UnreadableRubber.at(place, words % told)
    return Revoke(by, Penalty(penalty))


def _sides(data: object) -> Mapping[Side, tuple[str, str]] | None:
    if data is None:
        return None
    place = _("sides")
    sides = as_object(data, place, set(Side))
    pairs = {
        side: [
            DUMMY if each is None else as_name(each, place)
            for each in as_list(sides.get(side), place)
        ]
        for side in Side
    }
    if any(len(pair) != 2 for pair in pairs.values()) or not is_seating(
        [name for side in Side for name in pairs[side]]
    ):
        raise UnreadableRubber.at(place, _("two different players a side are needed"))
    return {side: (pair[0], pair[1]) for side, pair in pairs.items()}


def _names(data: object, place: str) -> list[str]:
    return [as_name(each, place) for each in as_list(data, place)]


def as_name(data: object, place: str) -> str:
    """Take a name of one line."""
    fits = isinstance(data, str) and data.strip() and data.isprintable()
    if not isinstance(data, str) or not fits or len(data) > LONGEST_NAME:
        raise UnreadableRubber.at(place, _("%(value)s is not a name") % {"value": shown(data)})
    return data


def _cut(data: object, place: str) -> Cut:
    return {
        as_name(name, place): _card(card, place)
        for name, card in as_object(data, place).items()
    }


def _card(data: object, place: str) -> int:
    if not isinstance(data, str) or data.upper() not in CARDS:
        words = _("%(value)s is not a card; write A, 2 to 10, J, Q or K")
        raise UnreadableRubber.at(place, words % {"value": shown(data)})
    return CARDS[data.upper()]
