"""The name parser reads typed lines as listed in this table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.names.people import (
    PERSONAL_TITLES,
    PLACEHOLDER_NAMES,
    SURNAME_PARTICLES,
    format_people,
    parse_people_in_cells,
    read_people,
    read_person_name,
    remove_title,
)
from clubs.names.tidy import build_name_key

KNOWN_NAME_KEYS = {
    build_name_key(text) for text in ("Ann Alder", "Jones/Jones", "Cedar, Cy", "Dr Di Dogwood")
}
SMITHS = ("John Smith", "Mary Smith")
TWO_PEOPLE_DOUBT = "Read as two people: John Smith & Mary Smith."
CERTAIN_PAIRS = {
    "Ann Alder & Bo Birch": ("Ann Alder", "Bo Birch"),
    "Ann Alder and Bo Birch": ("Ann Alder", "Bo Birch"),
    "Ann Alder AND Bo Birch": ("Ann Alder", "Bo Birch"),
    "Ann Alder with Bo Birch": ("Ann Alder", "Bo Birch"),
    "Ann Alder w/ Bo Birch": ("Ann Alder", "Bo Birch"),
    "Ann Alder + Bo Birch": ("Ann Alder", "Bo Birch"),
    "Ann Alder / Bo Birch": ("Ann Alder", "Bo Birch"),
    "Ann Alder – Bo Birch": ("Ann Alder", "Bo Birch"),
    "Ann Alder, Bo Birch": ("Ann Alder", "Bo Birch"),
    "Ann Alder; Bo Birch": ("Ann Alder", "Bo Birch"),
    "Ann Alder\tBo Birch": ("Ann Alder", "Bo Birch"),
    "Jan Jansen en Piet Bakker": ("Jan Jansen", "Piet Bakker"),
    "Bao En Li & Met Oy": ("Bao En Li", "Met Oy"),
    "Alder, Ann & Birch, Bo": ("Ann Alder", "Bo Birch"),
    "Alder, Ann; Birch, Bo": ("Ann Alder", "Bo Birch"),
    "MRS JOAN HALL AND MR BOB HALL": ("JOAN HALL", "BOB HALL"),
    "Prof. Dr. Ann Alder & Lady Jane": ("Ann Alder", "Lady Jane"),
    "John Smith, Jr. & Bo Birch": ("John Smith Jr.", "Bo Birch"),
    "Smith, Smith": ("Smith", "Smith"),
    "Ann & Bo": ("Ann", "Bo"),
    "Ann Alder & ?": ("Ann Alder",),
    "Ann Alder & TBA": ("Ann Alder",),
    "A, B, C": ("A", "B", "C"),
    "Jose\u0301 Nu\u0301n\u0303ez & Bo Birch": ("José Núñez", "Bo Birch"),
}
DOUBTFUL_PAIRS = {
    "SMITH, John & Mary": (
        ("John SMITH", "Mary SMITH"),
        "Read as two people: John SMITH & Mary SMITH.",
    ),
    "Smith, John and Mary": (SMITHS, TWO_PEOPLE_DOUBT),
    "John & Mary Smith": (SMITHS, TWO_PEOPLE_DOUBT),
    "John & Smith, Mary": (SMITHS, TWO_PEOPLE_DOUBT),
    "Mr John & Mrs Mary Smith": (("Mr John", "Mary Smith"), "Read as Mr John & Mary Smith."),
    "Mrs Hall & Mr Bob Jones": (("Mrs Hall", "Bob Jones"), "Read as Mrs Hall & Bob Jones."),
    "M. & M. HALL": (("M. HALL", "M. HALL"), "Read as two people: M. HALL & M. HALL."),
    "Mr & Mrs Hall": (("Mr Hall", "Mrs Hall"), "Read as two people: Mr Hall & Mrs Hall."),
    "J. & M. van Dyck": (
        ("J. van Dyck", "M. van Dyck"),
        "Read as two people: J. van Dyck & M. van Dyck.",
    ),
    "Brown, Tom & Ann Green": (("Tom Brown", "Ann Green"), "Read as Tom Brown & Ann Green."),
    "Alder, Bo, Birch, Cy": (("Bo Alder", "Cy Birch"), "Read as Bo Alder & Cy Birch."),
    "Alder, Ann": (("Alder", "Ann"), "This may be one person: Ann Alder."),
    "Elm, Eve": (("Elm", "Eve"), "This may be one person: Eve Elm."),
    "van den Elm, Eve May": (
        ("van den Elm", "Eve May"),
        "This may be one person: Eve May van den Elm.",
    ),
    "Ann Alder & Bo Birch?": (("Ann Alder", "Bo Birch"), "“?” was left out: Bo Birch."),
}
SINGLE_PEOPLE = {
    "Alder, Ann": ("Ann Alder",),
    "van den Berg, Jan": ("Jan van den Berg",),
    "Smith, Mary Ann": ("Mary Ann Smith",),
    "Miss Bo Birch": ("Bo Birch",),
    "Mrs Birch": ("Mrs Birch",),
    "Dr Di Dogwood": ("Dr Di Dogwood",),
    "Jones/Jones": ("Jones/Jones",),
    "Cedar, Cy": ("Cedar, Cy",),
    "-Ann Dash": ("-Ann Dash",),
    "+Bo Plus": ("+Bo Plus",),
    "Ann Alder, Bo Birch": ("Ann Alder", "Bo Birch"),
    "A & B": ("A", "B"),
}
TEAMS = {
    "A, B, C, D": ("A", "B", "C", "D"),
    "A & B, C & D": ("A", "B", "C", "D"),
    "A & B; C & D": ("A", "B", "C", "D"),
    "Alder, Ann & Birch, Bo & Elm, Ed & Fir, Fay": (
        *("Ann Alder", "Bo Birch", "Ed Elm", "Fay Fir"),
    ),
    "A, B, C": ("A", "B", "C"),
}


@pytest.mark.parametrize("line", CERTAIN_PAIRS)
def test_pair_is_parsed_as_unambiguous(line: str) -> None:
    people = read_people(line, 2, KNOWN_NAME_KEYS)
    assert (people.names, people.doubts) == (CERTAIN_PAIRS[line], ())


@pytest.mark.parametrize("line", DOUBTFUL_PAIRS)
def test_ambiguous_line_is_marked_as_doubtful(line: str) -> None:
    people = read_people(line, 2, KNOWN_NAME_KEYS)
    names, doubt = DOUBTFUL_PAIRS[line]
    assert (people.names, " ".join(people.doubts)) == (names, doubt)


@pytest.mark.parametrize("line", SINGLE_PEOPLE)
def test_one_person_is_read(line: str) -> None:
    people = read_people(line, 1, KNOWN_NAME_KEYS)
    assert (people.names, people.doubts) == (SINGLE_PEOPLE[line], ())


def test_surname_of_two_words_is_marked_as_doubtful() -> None:
    assert read_people("Smith Jones, Ann", 1).doubts == ("Read as Ann Smith Jones.",)


@pytest.mark.parametrize("line", TEAMS)
def test_team_is_read(line: str) -> None:
    assert read_people(line, 4).names == TEAMS[line]


def test_two_team_members_may_share_a_surname() -> None:
    people = read_people("John & Mary Smith, Ann & Bob Hall", 4)
    assert people.names == ("John Smith", "Mary Smith", "Ann Hall", "Bob Hall")
    assert len(people.doubts) == 2


@pytest.mark.parametrize(
    "number_prefix", ["3 ", "3. ", "3) ", "3: ", "3 - ", "Pair 3: ", "#3. ", "• 3. "]
)
def test_number_before_the_names_is_removed(number_prefix: str) -> None:
    people = read_people(f"{number_prefix}Ann Alder & Bo Birch", 2)
    assert (people.leading_number, people.names) == (3, ("Ann Alder", "Bo Birch"))


@pytest.mark.parametrize("line", ["Player 7", "7", "4 & 5"])
def test_number_that_is_a_name_stays(line: str) -> None:
    assert "".join(read_people(line, 1).names) == line.replace(" & ", "")


def test_each_cell_has_one_person_or_several() -> None:
    assert parse_people_in_cells(["Alder, Ann", "", "1. Mr Bo Birch"], 2).names == (
        "Ann Alder",
        "Bo Birch",
    )
    assert parse_people_in_cells(["A & B", "C & D"], 4).names == ("A", "B", "C", "D")
    assert parse_people_in_cells(["Jones/Jones", "Bo Birch"], 2, KNOWN_NAME_KEYS).names == (
        "Jones/Jones",
        "Bo Birch",
    )


def test_person_name_field_puts_the_surname_last_and_keeps_a_title() -> None:
    assert read_person_name(" Birch,  Bo ", KNOWN_NAME_KEYS) == "Bo Birch"
    assert read_person_name("Cedar, Cy", KNOWN_NAME_KEYS) == "Cedar, Cy"
    assert read_person_name("Dr Bo Birch") == "Dr Bo Birch"
    assert remove_title("Dr Bo Birch") == "Bo Birch"


WORD_STRATEGY = (
    st.text(alphabet="abcdefghijklmnopqrstuvwxyzáéíñöøłß", min_size=2, max_size=9)
    .filter(lambda word: word not in PERSONAL_TITLES | SURNAME_PARTICLES | PLACEHOLDER_NAMES)
    .filter(lambda word: word not in {"and", "with", "jr", "jnr", "jun", "sr", "snr", "sen"})
    .filter(lambda word: word not in {"und", "mit", "et", "avec", "en", "met", "och", "og"})
    .filter(lambda word: word not in {"ii", "iii", "mbe", "obe"})
    .map(str.capitalize)
)
NAME_STRATEGY = st.tuples(WORD_STRATEGY, WORD_STRATEGY).map(" ".join)


@given(
    st.sampled_from([1, 2, 4]).flatmap(
        lambda n: st.lists(NAME_STRATEGY, min_size=n, max_size=n)
    )
)
def test_formatted_people_are_parsed_as_the_same_people(names: list[str]) -> None:
    people = read_people(format_people(names), len(names))
    assert (people.names, people.doubts) == (tuple(names), ())
    numbered_people = read_people(f"12. {format_people(names)}", len(names))
    assert (numbered_people.leading_number, numbered_people.names) == (12, tuple(names))
    text = " & ".join(", ".join(reversed(name.split())) for name in names)
    assert read_people(text, len(names)).names == tuple(names)


@given(st.text(max_size=60), st.sampled_from([1, 2, 4]))
def test_any_line_is_parsed_and_a_known_name_is_never_split(line: str, wanted: int) -> None:
    people = read_people(line, wanted)
    assert all(name and name == " ".join(name.split()) for name in people.names)
    if build_name_key(line):
        assert len(read_people(line, wanted, {build_name_key(line)}).names) == 1
