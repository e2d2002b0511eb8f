"""A published set can be dealt again by anyone, and a changed one is detected."""

import json
from dataclasses import replace

import pytest

from boards import pbn, proof
from boards.proof import Proof, UnreadableProof
from boards.whist import InvalidSecret, UnusableBoards
from boards.whist.dealing import compute_commitment, deal_board
from boards.whist.notation import format_hands

SECRET = bytes(range(32))


def build_proof(public=None):
    return Proof(
        secret=SECRET,
        commitment=compute_commitment(
            SECRET, first_number=5, size=4, should_use_public_value=public is not None
        ),
        first_number=5,
        board_count=4,
        public_value=public,
        deals_by_board={
            number: deal_board(SECRET, number, public_value=public or "")
            for number in range(5, 9)
        },
        versions_by_board={},
    )


@pytest.mark.parametrize("public", [None, "3 11 19 Łódź"])
def test_parsed_proof_verifies_the_set(public):
    for text in (
        proof.format_deal_proof(build_proof(public)),
        pbn.format_pbn(
            build_proof(public).deals_by_board,
            header=proof.format_proof_header(build_proof(public)),
        ),
    ):
        parsed_proof = proof.parse_deal_proof(text)
        assert proof.list_differences(parsed_proof) == []
        assert (
            parsed_proof.deals_by_board,
            parsed_proof.public_value,
            parsed_proof.first_number,
        ) == (
            build_proof(public).deals_by_board,
            public,
            5,
        )


def format_in_each_format(proof_to_format: Proof) -> dict[str, str]:
    """Return a proof in each format in which it is published."""
    return {
        "json": proof.format_deal_proof(proof_to_format),
        "pbn": pbn.format_pbn(
            proof_to_format.deals_by_board, header=proof.format_proof_header(proof_to_format)
        ),
        "text": proof.format_proof_header(proof_to_format)
        + "".join(
            f"{number} {format_hands(deal)} {deal.turn_up.code}\n"
            for number, deal in proof_to_format.deals_by_board.items()
        ),
    }


@pytest.mark.parametrize(
    ("removed_board_numbers", "missing_boards_text"),
    [
        ({5}, "board 5"),
        ({6}, "board 6"),
        ({8}, "board 8"),
        ({5, 6}, "boards 5–6"),
        ({6, 7}, "boards 6–7"),
        ({5, 7}, "board 5, board 7"),
        ({5, 7, 8}, "board 5, boards 7–8"),
    ],
)
@pytest.mark.parametrize("format_name", ["json", "pbn", "text"])
def test_error_names_a_board_missing_from_the_proof(
    format_name, removed_board_numbers, missing_boards_text
):
    remaining_deals_by_number = {
        number: deal
        for number, deal in build_proof().deals_by_board.items()
        if number not in removed_board_numbers
    }
    read = proof.parse_deal_proof(
        format_in_each_format(replace(build_proof(), deals_by_board=remaining_deals_by_number))[
            format_name
        ]
    )
    assert proof.list_differences(read) == [
        f"Promised but not in the file: {missing_boards_text}."
    ]


def test_all_boards_missing_are_named_quickly():
    differences = proof.list_differences(
        replace(build_proof(), board_count=proof.MAX_BOARD_NUMBER, deals_by_board={})
    )
    assert (
        differences[-1]
        == f"Promised but not in the file: boards 5–{proof.MAX_BOARD_NUMBER + 4}."
    )


INVALID_NUMBERS = [
    0,
    -1,
    1.5,
    1e400,
    10**12,
    2**32,
    "9" * 5000,
    "1e9",
    "½",
    "٣",
    "",
    None,
    [],
    {},
]


@pytest.mark.parametrize("value", INVALID_NUMBERS, ids=lambda value: str(value)[:9])
@pytest.mark.parametrize("field", ["first", "size", "number", "version", "before"])
def test_proof_with_an_invalid_number_is_refused(field, value):
    document = json.loads(proof.format_deal_proof(build_proof()))
    if field in ("first", "size"):
        document[field] = value
    elif field == "before":
        document["before"] = [{"size": value, "commitment": "0"}]
    else:
        document["boards"][0][field] = value
    with pytest.raises(UnreadableProof):
        proof.parse_deal_proof(json.dumps(document))


def test_duplicate_board_in_a_proof_is_refused():
    document = json.loads(proof.format_deal_proof(build_proof()))
    document["boards"].append(document["boards"][1])
    with pytest.raises(UnreadableProof, match="Board 6 is in the file more than once"):
        proof.parse_deal_proof(json.dumps(document))


@pytest.mark.parametrize("style", ["json", "pbn", "text"])
def test_extended_set_with_a_redealt_board_is_verified_in_every_format(style):
    redealt_proof = replace(
        build_proof(),
        deals_by_board={**build_proof().deals_by_board, 6: deal_board(SECRET, 6, version=2)},
        versions_by_board={6: 2},
        previous_commitments=(
            (
                2,
                compute_commitment(
                    SECRET, first_number=5, size=2, should_use_public_value=False
                ),
            ),
        ),
    )
    read = proof.parse_deal_proof(format_in_each_format(redealt_proof)[style])
    assert proof.list_differences(read) == []
    assert (read.versions_by_board.get(6), read.previous_commitments) == (
        2,
        redealt_proof.previous_commitments,
    )


def test_second_deal_of_a_board_is_verified_by_its_version():
    redealt_proof = replace(
        build_proof(),
        deals_by_board={**build_proof().deals_by_board, 6: deal_board(SECRET, 6, version=2)},
        versions_by_board={6: 2},
    )
    assert (
        proof.list_differences(proof.parse_deal_proof(proof.format_deal_proof(redealt_proof)))
        == []
    )
    assert proof.list_differences(replace(redealt_proof, versions_by_board={})) == [
        "Board 6: the secret gives a different deal."
    ]


def test_changed_secret_public_value_or_board_is_detected():
    assert len(proof.list_differences(replace(build_proof(), secret=bytes(32)))) == 5
    assert len(proof.list_differences(replace(build_proof("7"), public_value="8"))) == 4
    assert proof.list_differences(replace(build_proof(), public_value=""))[0].startswith(
        "The commitment doesn’t match"
    )
    proof_of_other_board = replace(build_proof(), deals_by_board={9: deal_board(SECRET, 9)})
    assert proof.list_differences(proof_of_other_board) == [
        "Board 9: not one of the promised boards.",
        "Promised but not in the file: boards 5–8.",
    ]


def test_extended_set_is_verified_by_all_its_commitments():
    extended_proof = replace(
        build_proof(),
        previous_commitments=(
            (
                2,
                compute_commitment(
                    SECRET, first_number=5, size=2, should_use_public_value=False
                ),
            ),
        ),
    )
    read = proof.parse_deal_proof(proof.format_deal_proof(extended_proof))
    assert read.previous_commitments == extended_proof.previous_commitments
    assert proof.list_differences(read) == []
    wrong_proof = replace(
        extended_proof, previous_commitments=((3, extended_proof.previous_commitments[0][1]),)
    )
    assert proof.list_differences(wrong_proof) == [
        "The earlier commitment to 3 boards doesn’t match this secret."
    ]


@pytest.mark.parametrize(
    "previous_commitments", [3, [3], [{"size": 2}], [{"size": "x", "commitment": ""}]]
)
def test_proof_with_invalid_previous_commitments_is_refused(previous_commitments):
    document = json.loads(proof.format_deal_proof(build_proof())) | {
        "before": previous_commitments
    }
    with pytest.raises(UnreadableProof):
        proof.parse_deal_proof(json.dumps(document))


def test_proof_without_first_and_size_lines_uses_its_boards():
    text = "\n".join(
        line
        for line in pbn.format_pbn(
            build_proof().deals_by_board, header=proof.format_proof_header(build_proof())
        ).splitlines()
        if not line.startswith(("% First", "% Size"))
    )
    assert proof.list_differences(proof.parse_deal_proof(text)) == []


@pytest.mark.parametrize(
    "text",
    ["{", "{}", '{"boards": 3}', '{"boards": [3]}', '{"boards": [{"number": "x"}]}', "[Board]"],
)
def test_text_that_is_not_a_proof_is_refused(text):
    with pytest.raises((UnreadableProof, UnusableBoards)) as exc_info:
        proof.parse_deal_proof(text)
    assert str(exc_info.value).endswith(".")


def test_missing_parts_of_a_proof_are_named():
    with pytest.raises(UnreadableProof, match="secret and the commitment are missing"):
        proof.parse_deal_proof(pbn.format_pbn(build_proof().deals_by_board))


def build_changed_proof(**changes):
    return json.dumps(json.loads(proof.format_deal_proof(build_proof())) | changes)


def test_wrong_secret_or_number_is_named():
    with pytest.raises(InvalidSecret, match=r"digits\), not 1"):
        proof.parse_deal_proof(build_changed_proof(secret="00"))
    with pytest.raises(UnreadableProof, match="must be whole numbers"):
        proof.parse_deal_proof(build_changed_proof(size="many"))


def test_wrong_deal_is_named_with_its_board():
    row = json.loads(proof.format_deal_proof(build_proof()))["boards"][0]
    with pytest.raises(UnusableBoards, match="Board 5: The deal can’t be read"):
        proof.parse_deal_proof(build_changed_proof(boards=[row | {"deal": "x"}]))
    with pytest.raises(UnreadableProof, match="isn’t a whist-proof/1 document"):
        proof.parse_deal_proof(build_changed_proof(boards=[row | {"dealer": "x"}]))
