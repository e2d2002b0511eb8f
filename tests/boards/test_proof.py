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
            SECRET, first=5, size=4, awaits_public=public is not None
        ),
        first=5,
        size=4,
        public=public,
        boards={
            number: deal_board(SECRET, number, public=public or "") for number in range(5, 9)
        },
        versions={},
    )


@pytest.mark.parametrize("public", [None, "3 11 19 Łódź"])
def test_a_proof_written_and_read_proves_the_set(public):
    for text in (
        proof.format_proof(build_proof(public)),
        pbn.write_pbn(
            build_proof(public).boards, head=proof.format_proof_header(build_proof(public))
        ),
    ):
        read = proof.parse_proof(text)
        assert proof.list_differences(read) == []
        assert (read.boards, read.public, read.first) == (build_proof(public).boards, public, 5)


def format_in_each_format(found: Proof) -> dict[str, str]:
    """Return a proof in each format in which it is published."""
    return {
        "json": proof.format_proof(found),
        "pbn": pbn.write_pbn(found.boards, head=proof.format_proof_header(found)),
        "text": proof.format_proof_header(found)
        + "".join(
            f"{number} {format_hands(deal)} {deal.turn_up.code}\n"
            for number, deal in found.boards.items()
        ),
    }


@pytest.mark.parametrize(
    ("cut", "named"),
    [
        ({5}, "board 5"),
        ({6}, "board 6"),
        ({8}, "board 8"),
        ({5, 6}, "boards 5 to 6"),
        ({6, 7}, "boards 6 to 7"),
        ({5, 7}, "board 5, board 7"),
        ({5, 7, 8}, "board 5, boards 7 to 8"),
    ],
)
@pytest.mark.parametrize("style", ["json", "pbn", "text"])
def test_a_board_that_was_promised_and_cut_out_is_missed(style, cut, named):
    remaining_deals_by_number = {
        number: deal for number, deal in build_proof().boards.items() if number not in cut
    }
    read = proof.parse_proof(
        format_in_each_format(replace(build_proof(), boards=remaining_deals_by_number))[style]
    )
    assert proof.list_differences(read) == [f"Promised but not in the file: {named}."]


def test_a_set_of_which_nothing_is_left_is_missed_at_once():
    differences = proof.list_differences(
        replace(build_proof(), size=proof.MAX_BOARD_NUMBER, boards={})
    )
    assert (
        differences[-1]
        == f"Promised but not in the file: boards 5 to {proof.MAX_BOARD_NUMBER + 4}."
    )


AWFUL = [0, -1, 1.5, 1e400, 10**12, 2**32, "9" * 5000, "1e9", "½", "٣", "", None, [], {}]


@pytest.mark.parametrize("value", AWFUL, ids=lambda value: str(value)[:9])
@pytest.mark.parametrize("field", ["first", "size", "number", "version", "before"])
def test_a_number_that_no_set_has_is_refused_in_words(field, value):
    document = json.loads(proof.format_proof(build_proof()))
    if field in ("first", "size"):
        document[field] = value
    elif field == "before":
        document["before"] = [{"size": value, "commitment": "0"}]
    else:
        document["boards"][0][field] = value
    with pytest.raises(UnreadableProof):
        proof.parse_proof(json.dumps(document))


def test_a_board_that_stands_twice_in_a_proof_is_refused():
    document = json.loads(proof.format_proof(build_proof()))
    document["boards"].append(document["boards"][1])
    with pytest.raises(UnreadableProof, match="Board 6 is in the file more than once"):
        proof.parse_proof(json.dumps(document))


@pytest.mark.parametrize("style", ["json", "pbn", "text"])
def test_a_set_that_grew_and_a_board_dealt_anew_are_proved_in_every_file(style):
    again = replace(
        build_proof(),
        boards={**build_proof().boards, 6: deal_board(SECRET, 6, version=2)},
        versions={6: 2},
        promised_before=(
            (2, compute_commitment(SECRET, first=5, size=2, awaits_public=False)),
        ),
    )
    read = proof.parse_proof(format_in_each_format(again)[style])
    assert proof.list_differences(read) == []
    assert (read.versions.get(6), read.promised_before) == (2, again.promised_before)


def test_a_second_deal_of_a_board_is_proved_by_its_version():
    again = replace(
        build_proof(),
        boards={**build_proof().boards, 6: deal_board(SECRET, 6, version=2)},
        versions={6: 2},
    )
    assert proof.list_differences(proof.parse_proof(proof.format_proof(again))) == []
    assert proof.list_differences(replace(again, versions={})) == [
        "Board 6: the secret gives a different deal."
    ]


def test_another_secret_another_public_value_and_another_board_are_found_out():
    assert len(proof.list_differences(replace(build_proof(), secret=bytes(32)))) == 5
    assert len(proof.list_differences(replace(build_proof("7"), public="8"))) == 4
    assert proof.list_differences(replace(build_proof(), public=""))[0].startswith(
        "The commitment doesn't match"
    )
    beyond = replace(build_proof(), boards={9: deal_board(SECRET, 9)})
    assert proof.list_differences(beyond) == [
        "Board 9: it isn't one of the boards promised.",
        "Promised but not in the file: boards 5 to 8.",
    ]


def test_a_set_that_grew_is_proved_by_every_commitment_it_had():
    grown = replace(
        build_proof(),
        promised_before=(
            (2, compute_commitment(SECRET, first=5, size=2, awaits_public=False)),
        ),
    )
    read = proof.parse_proof(proof.format_proof(grown))
    assert read.promised_before == grown.promised_before
    assert proof.list_differences(read) == []
    wrong = replace(grown, promised_before=((3, grown.promised_before[0][1]),))
    assert proof.list_differences(wrong) == [
        "The earlier commitment to 3 boards doesn't match this secret."
    ]


@pytest.mark.parametrize("before", [3, [3], [{"size": 2}], [{"size": "x", "commitment": ""}]])
def test_what_was_promised_before_is_a_list_of_sizes(before):
    document = json.loads(proof.format_proof(build_proof())) | {"before": before}
    with pytest.raises(UnreadableProof):
        proof.parse_proof(json.dumps(document))


def test_a_text_without_first_and_size_is_taken_as_its_boards():
    text = "\n".join(
        line
        for line in pbn.write_pbn(
            build_proof().boards, head=proof.format_proof_header(build_proof())
        ).splitlines()
        if not line.startswith(("% First", "% Size"))
    )
    assert proof.list_differences(proof.parse_proof(text)) == []


@pytest.mark.parametrize(
    "text",
    ["{", "{}", '{"boards": 3}', '{"boards": [3]}', '{"boards": [{"number": "x"}]}', "[Board]"],
)
def test_what_is_no_proof_is_refused_in_words(text):
    with pytest.raises((UnreadableProof, UnusableBoards)) as exc_info:
        proof.parse_proof(text)
    assert str(exc_info.value).endswith(".")


def test_a_proof_names_what_it_lacks():
    with pytest.raises(UnreadableProof, match="secret and the commitment are missing"):
        proof.parse_proof(pbn.write_pbn(build_proof().boards))


def change_proof(**changes):
    return json.dumps(json.loads(proof.format_proof(build_proof())) | changes)


def test_a_wrong_secret_or_number_is_named():
    with pytest.raises(InvalidSecret, match=r"digits\), not 1"):
        proof.parse_proof(change_proof(secret="00"))
    with pytest.raises(UnreadableProof, match="must be whole numbers"):
        proof.parse_proof(change_proof(size="many"))


def test_a_wrong_deal_is_named_with_its_board():
    row = json.loads(proof.format_proof(build_proof()))["boards"][0]
    with pytest.raises(UnusableBoards, match="Board 5: The deal can't be read"):
        proof.parse_proof(change_proof(boards=[row | {"deal": "x"}]))
    with pytest.raises(UnreadableProof, match="isn't a whist-proof/1 document"):
        proof.parse_proof(change_proof(boards=[row | {"dealer": "x"}]))
