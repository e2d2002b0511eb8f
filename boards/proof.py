"""Deals that anyone can deal again: the published proof of a board set, and its check."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from boards import pbn
from boards.whist import Card, Deal, InvalidSecret, Seat, UnusableBoards, WhistError
from boards.whist.dealing import commitment, make_deal, read_secret
from boards.whist.notation import hands_text, read_deal
from boards.whist.reading import of_board
from boards.whist.words import gettext as _

FORMAT = "whist-proof/1"


class UnreadableProof(WhistError):
    """A file that does not say from which secret its deals come."""

    code = "unreadable_proof"


@dataclass(frozen=True, slots=True)
class Proof:
    """A secret, what was published before play, and the deals that were played.

    `public` is the value mixed in after the commitment, None if none was announced;
    `promised_before` are sizes and commitments of the set before boards were added to it.
    """

    secret: bytes
    commitment: str
    first: int
    size: int
    public: str | None
    boards: Mapping[int, Deal]
    versions: Mapping[int, int]
    promised_before: tuple[tuple[int, str], ...] = ()


def write(proof: Proof) -> str:
    """Write a proof as JSON, one board a line for reading."""
    boards = [
        {
            "number": number,
            "version": proof.versions.get(number, 1),
            "dealer": deal.dealer.value,
            "deal": hands_text(deal),
            "turn_up": deal.turn_up.code,
        }
        for number, deal in sorted(proof.boards.items())
    ]
    head = {
        "format": FORMAT,
        "secret": proof.secret.hex(),
        "commitment": proof.commitment,
        "first": proof.first,
        "size": proof.size,
        "public": proof.public,
    }
    if proof.promised_before:
        head["before"] = [
            {"size": size, "commitment": text} for size, text in proof.promised_before
        ]
    rows = ",\n".join("  " + json.dumps(board) for board in boards)
    return (
        json.dumps(head, indent=1, ensure_ascii=False)[:-2]
        + f',\n "boards": [\n{rows}\n ]\n}}\n'
    )


def header(proof: Proof) -> str:
    """Write what a text or PBN file says above its boards, as lines that readers skip."""
    lines = [
        f"% Secret: {proof.secret.hex()}",
        f"% Commitment: {proof.commitment}",
        f"% First: {proof.first}",
        f"% Size: {proof.size}",
    ]
    lines += [] if proof.public is None else [f"% Public: {proof.public}"]
    return "\n".join(lines) + "\n"


def read(text: str) -> Proof:
    """Read a proof written as JSON, or as text or PBN under a `header`.

    Raises UnreadableProof, or UnusableBoards when the cards themselves are wrong.
    """
    if text.lstrip().startswith("{"):
        return _from_json(text)
    head = {found[1].lower(): found[2].strip() for found in _HEAD.finditer(text)}
    boards = pbn.read(text).boards
    return _proof(head, boards, {})


def differences(proof: Proof) -> list[str]:
    """Deal every board again and name what does not agree; an empty list proves the set."""
    found = []
    if committed(proof, proof.size) != proof.commitment.lower():
        found.append(_("The commitment is not that of this secret and these boards."))
    for size, text in proof.promised_before:
        if committed(proof, size) != text.lower():
            words = _("The earlier commitment to %(size)s boards is not that of this secret.")
            found.append(words % {"size": size})
    for number, deal in proof.boards.items():
        if number not in range(proof.first, proof.first + proof.size):
            found.append(of_board(number, _("it is not one of the boards promised.")))
        elif deal != _again(proof, number, deal.dealer):
            found.append(of_board(number, _("the secret gives another deal.")))
    return found


def committed(proof: Proof, size: int) -> str:
    """Work out the commitment to the first so many boards of a proof's secret."""
    return commitment(
        proof.secret, first=proof.first, size=size, awaits_public=proof.public is not None
    )


def dealt_again(proof: Proof) -> dict[int, Deal]:
    """Deal the boards of a proof again from its secret, each for the dealer it names."""
    return {number: _again(proof, number, deal.dealer) for number, deal in proof.boards.items()}


_HEAD = re.compile(r"^%\s*(Secret|Commitment|First|Size|Public):(.*)$", re.MULTILINE | re.I)


def _again(proof: Proof, number: int, dealer: Seat) -> Deal:
    version = proof.versions.get(number, 1)
    public = proof.public or ""
    return make_deal(proof.secret, number, version=version, public=public, dealer=dealer)


def _from_json(text: str) -> Proof:
    try:
        document = json.loads(text)
        rows = document["boards"]
        boards = {int(row["number"]): _deal(row) for row in rows}
        versions = {int(row["number"]): int(row.get("version", 1)) for row in rows}
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise UnreadableProof(
            _("The proof cannot be read: it is not a %(format)s document (%(problem)s).")
            % {"format": FORMAT, "problem": problem}
        ) from None
    return _proof(document, boards, versions)


def _deal(row: Mapping[str, str]) -> Deal:
    try:
        return read_deal(row["deal"], Seat(row["dealer"]), Card.parse(row["turn_up"]))
    except WhistError as problem:
        raise UnusableBoards([of_board(int(row["number"]), problem)]) from None


def _proof(
    head: Mapping[str, object], boards: Mapping[int, Deal], versions: Mapping[int, int]
) -> Proof:
    _check_named(bool(head.get("secret")), bool(head.get("commitment")))
    public = head.get("public")
    try:
        return Proof(
            secret=read_secret(str(head["secret"])),
            commitment=str(head["commitment"]),
            first=int(str(head.get("first", min(boards)))),
            size=int(str(head.get("size", len(boards)))),
            public=None if public is None else str(public),
            boards=boards,
            versions=versions,
            promised_before=_promised_before(head.get("before", [])),
        )
    except InvalidSecret:
        raise
    except ValueError:
        raise UnreadableProof(
            _("The first board and the size must be whole numbers.")
        ) from None


def _check_named(has_secret: bool, has_commitment: bool) -> None:
    if not has_secret and not has_commitment:
        raise UnreadableProof(_("The file does not name the secret and the commitment."))
    if not has_secret:
        raise UnreadableProof(_("The file does not name the secret."))
    if not has_commitment:
        raise UnreadableProof(_("The file does not name the commitment."))


def _promised_before(rows: object) -> tuple[tuple[int, str], ...]:
    try:
        assert isinstance(rows, list)
        return tuple((int(row["size"]), str(row["commitment"])) for row in rows)
    except (AssertionError, KeyError, TypeError):
        raise UnreadableProof(
            _("What was promised before must be a list of sizes, each with its commitment.")
        ) from None
