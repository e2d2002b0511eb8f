"""The published proof that a board set was dealt from a secret fixed before play."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _

from boards import pbn
from boards.whist import Card, Deal, InvalidSecret, Seat, UnusableBoards, WhistError
from boards.whist.board_file import format_board_problem
from boards.whist.dealing import compute_commitment, deal_board, parse_secret
from boards.whist.notation import format_hands, read_deal

FORMAT_NAME = "whist-proof/1"


class UnreadableProof(WhistError):
    """A file has no usable secret and commitment."""

    code = "unreadable_proof"


@dataclass(frozen=True, slots=True)
class Proof:
    """A secret, the commitment published before play, and the deals that were played.

    `public_value` is the value that was added after the commitment, or None.
    `versions_by_board` maps a board number to the number of its deal, 2 if the board was dealt
    a second time. `previous_commitments` has the size and commitment of the set before each
    enlargement.
    """

    secret: bytes
    commitment: str
    first_number: int
    board_count: int
    public_value: str | None
    deals_by_board: Mapping[int, Deal]
    versions_by_board: Mapping[int, int]
    previous_commitments: tuple[tuple[int, str], ...] = ()


def format_deal_proof(proof: Proof) -> str:
    """Return a proof as JSON text with one line for each board."""
    board_rows = [
        {
            "number": board_number,
            "version": proof.versions_by_board.get(board_number, 1),
            "dealer": deal.dealer.value,
            "deal": format_hands(deal),
            "turn_up": deal.known_turn_up.code,
        }
        for board_number, deal in sorted(proof.deals_by_board.items())
    ]
    header_fields = {
        "format": FORMAT_NAME,
        "secret": proof.secret.hex(),
        "commitment": proof.commitment,
        "first": proof.first_number,
        "size": proof.board_count,
        "public": proof.public_value,
    }
    if proof.previous_commitments:
        header_fields["before"] = [
            {"size": set_size, "commitment": commitment}
            for set_size, commitment in proof.previous_commitments
        ]
    boards_json = ",\n".join("  " + json.dumps(board_row) for board_row in board_rows)
    return (
        json.dumps(header_fields, indent=1, ensure_ascii=False)[:-2]
        + f',\n "boards": [\n{boards_json}\n ]\n}}\n'
    )


def format_proof_header(proof: Proof) -> str:
    """Return a proof as comment lines for the top of a text or PBN file."""
    header_lines = [
        f"% Secret: {proof.secret.hex()}",
        f"% Commitment: {proof.commitment}",
        f"% First: {proof.first_number}",
        f"% Size: {proof.board_count}",
    ]
    header_lines += [] if proof.public_value is None else [f"% Public: {proof.public_value}"]
    header_lines += [
        f"% Before: {set_size} {commitment}"
        for set_size, commitment in proof.previous_commitments
    ]
    header_lines += [
        f"% Version: {board_number} {version}" for board_number, version in _list_redeals(proof)
    ]
    return "\n".join(header_lines) + "\n"


def parse_deal_proof(proof_text: str) -> Proof:
    """Read a proof from JSON, or from the comment lines of a text or PBN file.

    Raises UnreadableProof, or UnusableBoards if the cards are invalid.
    """
    if proof_text.lstrip().startswith("{"):
        return _parse_json(proof_text)
    header_fields: dict[str, object] = {
        header_match[1].lower(): header_match[2].strip()
        for header_match in _HEADER_PATTERN.finditer(proof_text)
    }
    header_fields["before"] = [
        {"size": board_count, "commitment": commitment}
        for board_count, commitment in _PREVIOUS_COMMITMENT_PATTERN.findall(proof_text)
    ]
    versions_by_board = {
        int(board_number): int(version)
        for board_number, version in _VERSION_PATTERN.findall(proof_text)
    }
    return _build_dealing_proof(
        header_fields, pbn.read_pbn(proof_text).deals_by_board, versions_by_board
    )


def list_differences(proof: Proof) -> list[str]:
    """Deal all boards of a proof again, and return the differences as sentences.

    An empty list means that the proof is valid.
    """
    differences = []
    if compute_set_commitment(proof, proof.board_count) != proof.commitment.lower():
        differences.append(_("The commitment doesn’t match this secret and these boards."))
    for board_count, commitment in proof.previous_commitments:
        if compute_set_commitment(proof, board_count) != commitment.lower():
            message = _("The earlier commitment to %(size)s boards doesn’t match this secret.")
            differences.append(message % {"size": board_count})
    return differences + _list_differing_boards(proof)


def _list_differing_boards(proof: Proof) -> list[str]:
    """Return a sentence for each board that is missing, unknown, or dealt differently."""
    differences = []
    for board_number, deal in proof.deals_by_board.items():
        if board_number not in range(
            proof.first_number, proof.first_number + proof.board_count
        ):
            differences.append(
                format_board_problem(board_number, _("not one of the promised boards."))
            )
        elif deal != _recompute_deal(proof, board_number, deal.dealer):
            differences.append(
                format_board_problem(board_number, _("the secret gives a different deal."))
            )
    missing_ranges = _find_missing_boards(proof)
    if missing_ranges:
        message = _("Promised but not in the file: %(boards)s.")
        differences.append(
            message
            % {
                "boards": ", ".join(
                    _format_range(board_range) for board_range in missing_ranges
                )
            }
        )
    return differences


def compute_set_commitment(proof: Proof, board_count: int) -> str:
    """Return the commitment to a proof's secret, for a set of `board_count` boards."""
    return compute_commitment(
        proof.secret,
        first_number=proof.first_number,
        size=board_count,
        should_use_public_value=proof.public_value is not None,
    )


def redeal_boards(proof: Proof) -> dict[int, Deal]:
    """Deal a proof's boards again from the secret, and return the deals by board number."""
    return {
        board_number: _recompute_deal(proof, board_number, deal.dealer)
        for board_number, deal in proof.deals_by_board.items()
    }


_PREVIOUS_COMMITMENT_PATTERN = re.compile(
    r"^%\s*Before:\s*(\S+)\s+(\S+)\s*$", re.MULTILINE | re.I
)
_VERSION_PATTERN = re.compile(r"^%\s*Version:\s*(\d{1,4})\s+(\d{1,4})\s*$", re.MULTILINE | re.I)

MAX_BOARD_NUMBER = 10_000
"""The highest board number accepted in a proof, far above that of any set."""

_HEADER_PATTERN = re.compile(
    r"^%\s*(Secret|Commitment|First|Size|Public):(.*)$", re.MULTILINE | re.I
)


def _list_redeals(proof: Proof) -> list[tuple[int, int]]:
    """Return (board number, version) of each deal that is not the board's first one."""
    return [
        (board_number, version)
        for board_number, version in sorted(proof.versions_by_board.items())
        if version > 1
    ]


def _find_missing_boards(proof: Proof) -> list[range]:
    """Return the numbers of a set's missing boards as ranges.

    A list of numbers could exhaust the memory, because a proof may claim any size.
    """
    promised_board_numbers = range(proof.first_number, proof.first_number + proof.board_count)
    boundaries = [
        promised_board_numbers.start - 1,
        *sorted(
            board_number
            for board_number in proof.deals_by_board
            if board_number in promised_board_numbers
        ),
        promised_board_numbers.stop,
    ]
    gaps = (
        range(lower_boundary + 1, upper_boundary)
        for lower_boundary, upper_boundary in pairwise(boundaries)
    )
    return [gap for gap in gaps if gap.stop > gap.start]


def _format_range(board_range: range) -> str:
    if board_range.stop - board_range.start == 1:
        return _("board %(number)s") % {"number": board_range.start}
    return _("boards %(first)s–%(last)s") % {
        "first": board_range.start,
        "last": board_range.stop - 1,
    }


def _recompute_deal(proof: Proof, board_number: int, dealer: Seat) -> Deal:
    version = proof.versions_by_board.get(board_number, 1)
    public_value = proof.public_value or ""
    return deal_board(
        proof.secret, board_number, version=version, public_value=public_value, dealer=dealer
    )


def _parse_json(proof_text: str) -> Proof:
    try:
        document = json.loads(proof_text)
        boards_json = document["boards"]
        deals_by_board = {
            _parse_number(board_json["number"]): _parse_deal(board_json)
            for board_json in boards_json
        }
        versions_by_board = {
            _parse_number(board_json["number"]): _parse_number(board_json.get("version", 1))
            for board_json in boards_json
        }
        _check_boards_unique(
            [_parse_number(board_json["number"]) for board_json in boards_json]
        )
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise UnreadableProof(
            _("The proof can’t be read. It isn’t a %(format)s document (%(problem)s).")
            % {"format": FORMAT_NAME, "problem": problem}
        ) from None
    return _build_dealing_proof(document, deals_by_board, versions_by_board)


def _parse_number(json_value: object) -> int:
    """Return a whole number from 1 to MAX_BOARD_NUMBER; raise ValueError for other values."""
    number_text = str(json_value).strip()
    if not (
        number_text.isascii()
        and number_text.isdigit()
        and len(number_text) <= len(str(MAX_BOARD_NUMBER))
    ):
        raise ValueError(number_text[:20])
    if not 1 <= int(number_text) <= MAX_BOARD_NUMBER:
        raise ValueError(number_text)
    return int(number_text)


def _check_boards_unique(board_numbers: list[int]) -> None:
    """Raise an error if a board appears twice."""
    repeated_numbers = sorted(
        board_number for board_number, count in Counter(board_numbers).items() if count > 1
    )
    if repeated_numbers:
        raise UnreadableProof(
            _("Board %(board)s is in the file more than once.") % {"board": repeated_numbers[0]}
        )


def _parse_deal(board_json: Mapping[str, str]) -> Deal:
    try:
        return read_deal(
            board_json["deal"], Seat(board_json["dealer"]), Card.parse(board_json["turn_up"])
        )
    except WhistError as problem:
        raise UnusableBoards(
            [format_board_problem(int(board_json["number"]), problem)]
        ) from None


def _build_dealing_proof(
    header_fields: Mapping[str, object],
    deals_by_board: Mapping[int, Deal],
    versions_by_board: Mapping[int, int],
) -> Proof:
    _check_required_fields(
        bool(header_fields.get("secret")), bool(header_fields.get("commitment"))
    )
    public_value = header_fields.get("public")
    try:
        return Proof(
            secret=parse_secret(str(header_fields["secret"])),
            commitment=str(header_fields["commitment"]),
            first_number=_parse_number(header_fields.get("first", min(deals_by_board))),
            board_count=_parse_number(header_fields.get("size", len(deals_by_board))),
            public_value=None if public_value is None else str(public_value),
            deals_by_board=deals_by_board,
            versions_by_board=versions_by_board,
            previous_commitments=_parse_previous_commitments(header_fields.get("before", [])),
        )
    except InvalidSecret:
        raise
    except ValueError:
        raise UnreadableProof(
            _("The first board and the size must be whole numbers from 1 to %(most)s.")
            % {"most": MAX_BOARD_NUMBER}
        ) from None


def _check_required_fields(has_secret: bool, has_commitment: bool) -> None:
    if not has_secret and not has_commitment:
        raise UnreadableProof(_("The secret and the commitment are missing from the file."))
    if not has_secret:
        raise UnreadableProof(_("The secret is missing from the file."))
    if not has_commitment:
        raise UnreadableProof(_("The commitment is missing from the file."))


def _parse_previous_commitments(commitments: object) -> tuple[tuple[int, str], ...]:
    try:
        assert isinstance(commitments, list)
        return tuple(
            (_parse_number(commitment["size"]), str(commitment["commitment"]))
            for commitment in commitments
        )
    except (AssertionError, KeyError, TypeError, ValueError):
        raise UnreadableProof(
            _("The earlier promises must be a list of sizes, each with its commitment.")
        ) from None
