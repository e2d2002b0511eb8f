"""The parser of people's names in one line of text or in several spreadsheet cells.

The names can be those of one person, a couple or a team. The parser recognises numbers before a
name, titles, couples ("John & Mary Smith", "SMITH, John & Mary"), "Surname, First", and the
usual separators. An uncertain result contains a doubt, which the caller must show to the user
before storing anything. The name of an existing player is never changed.
"""

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from clubs.names.surnames import SURNAME_PARTICLES, get_surname_words
from clubs.names.tidy import build_name_key, clean_name

PERSONAL_TITLES = frozenset(
    [
        *("mr", "mrs", "ms", "miss", "mx", "dr", "prof", "rev", "revd", "sir", "lady", "dame"),
        *("lord", "capt", "col", "maj", "herr", "frau", "hr", "fr", "mme", "mlle", "monsieur"),
        *("madame", "mevr", "dhr", "mw"),
    ]
)
PLACEHOLDER_NAMES = frozenset(["tba", "tbc", "tbd", "nn", "n.n", "n.n."])
"""The texts that players enter for a partner who is not known yet."""
_LINE_PREFIX_PATTERN = re.compile(
    r"(?:[•·▪◦*–—-]\s+)?"
    r"(?:(?:pair|table|team|player|no\.?|nr\.?|#)\s*(?=\d+\s*[.):]))?"
    r"(?:(?P<number>\d{1,4})(?:\s*[.):]\s*|\s+[-–—]\s+|\s+(?=[^\W\d]))(?=.*\w))?",
    re.IGNORECASE,
)
"""A bullet, a word such as "pair", and a number before a name: "Pair 3: "."""
_SEPARATOR_PATTERN = re.compile(
    r"\s+w/\s*|(?<=[\w.)?'’])\s*[&/+]\s*|\s+[-–—]\s+|\s+(?:(?i:and|with)|und|mit|et|avec|en|met|och|og)\s+"
)
_CELL_SEPARATORS = re.compile(r"[;\t]")
_SUFFIX_PATTERN = re.compile(r",\s*((?:jn?r|jun|sn?r|sen|i{2,3}|mbe|obe)\b\.?)", re.IGNORECASE)
"""A comma and a suffix that belong to the name before them: ", Jr"."""
_UNCERTAINTY_MARK_PATTERN = re.compile(r"\s*\(?\?+\)?$")
"""The question marks after an uncertain name: "Ann Alder (?)"."""
NO_KNOWN_NAMES: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ParsedPeople:
    """The result of parsing: the names, the number before them, and the doubts as sentences."""

    names: tuple[str, ...]
    leading_number: int | None = None
    doubts: tuple[str, ...] = ()


def format_people(names: Sequence[str]) -> str:
    """Return the names as one line that `read_people` can parse."""
    return " & ".join(names)


def read_people(
    text: str, expected_count: int, known_names: Container[str] = NO_KNOWN_NAMES
) -> ParsedPeople:
    """Parse a line that should contain the names of `expected_count` people: 1, 2 or 4.

    `known_names` contains the name keys (`build_name_key`) of the club's people. The result
    may have more or fewer names than `expected_count`.
    """
    if build_name_key(text) in known_names:
        return ParsedPeople((clean_name(text),))
    prefix_match = _LINE_PREFIX_PATTERN.match(text.strip())
    leading_number = (
        int(prefix_match["number"]) if prefix_match and prefix_match["number"] else None
    )
    unnumbered_text = text.strip()[prefix_match.end() if prefix_match else 0 :]
    name_parser = _NameParser(known_names)
    cells = [cell for cell in _CELL_SEPARATORS.split(unnumbered_text) if cell.strip()]
    names = (
        name_parser.read_cells(cells, expected_count)
        if len(cells) > 1
        else name_parser.read_people(unnumbered_text, expected_count)
    )
    return ParsedPeople(tuple(names), leading_number, tuple(dict.fromkeys(name_parser.doubts)))


def parse_people_in_cells(
    cells: Sequence[str], expected_count: int, known_names: Container[str] = NO_KNOWN_NAMES
) -> ParsedPeople:
    """Parse the names of `expected_count` people, evenly distributed over several cells."""
    filled_cells = [cell for cell in cells if cell.strip()]
    if len(filled_cells) == 1:
        return read_people(filled_cells[0], expected_count, known_names)
    reader = _NameParser(known_names)
    unnumbered_cells = [
        cell.strip()[_find_prefix_end(cell, known_names) :] for cell in filled_cells
    ]
    return ParsedPeople(
        tuple(reader.read_cells(unnumbered_cells, expected_count)),
        None,
        tuple(dict.fromkeys(reader.doubts)),
    )


def _find_prefix_end(cell: str, known_names: Container[str]) -> int:
    prefix_match = _LINE_PREFIX_PATTERN.match(cell.strip())
    return prefix_match.end() if prefix_match and build_name_key(cell) not in known_names else 0


def put_first_name_first(name: str) -> str:
    """Return "First Surname" for "Surname, First"; any other name is only cleaned."""
    surname, comma, first_name = (part.strip() for part in name.partition(","))
    is_surname_first = bool(comma and surname and first_name) and "," not in first_name
    return clean_name(f"{first_name} {surname}" if is_surname_first else name)


def read_person_name(text: str, known_names: Container[str] = NO_KNOWN_NAMES) -> str:
    """Return the cleaned name of one person, with "Surname, First" reversed."""
    cleaned_name = clean_name(text)
    return (
        cleaned_name
        if "," not in cleaned_name or build_name_key(cleaned_name) in known_names
        else put_first_name_first(cleaned_name)
    )


@dataclass(slots=True)
class _LinePart:
    """A part of a line between two separators, split at its commas."""

    text: str
    comma_parts: list[str]

    @property
    def is_surname_first(self) -> bool:
        return len(self.comma_parts) == 2

    @property
    def is_titled_word(self) -> bool:
        """Whether the part is a title and one other word, such as "Mrs Hall"."""
        words = self.text.split()
        return len(words) == 2 and _is_title(words[0])

    @property
    def is_short(self) -> bool:
        """Whether the part is only a first name, initials or a title: "John", "Mr J.", "Mr"."""
        if self.is_surname_first:
            return False
        words = [word for word in self.text.split() if not _is_title(word)]
        has_title = len(words) < len(self.text.split())
        return len(words) <= 1 and (not has_title or all(_is_initial(word) for word in words))


@dataclass(slots=True)
class _NameParser:
    """A parser of names that collects doubts about its results."""

    known_names: Container[str]
    doubts: list[str] = field(default_factory=list)

    def read_cells(self, cells: Sequence[str], expected_count: int) -> list[str]:
        names_per_cell = (
            expected_count // len(cells)
            if len(cells) and expected_count % len(cells) == 0
            else 1
        )
        return [name for cell in cells for name in self.read_people(cell, names_per_cell)]

    def read_people(self, text: str, expected_count: int) -> list[str]:
        text = _SUFFIX_PATTERN.sub(r" \1", text)
        if build_name_key(text) in self.known_names:
            return [clean_name(text)]
        if expected_count == 4:
            return self._read_team(text)
        line_parts = [
            self._parse_line_part(part_text)
            for part_text in _SEPARATOR_PATTERN.split(text)
            if is_person_name(part_text)
        ]
        if len(line_parts) == 1 and expected_count == 1:
            return self._read_single_name(line_parts[0])
        if len(line_parts) == 1:
            return self._split_names_at_commas(line_parts[0], expected_count)
        if len(line_parts) == 2 and all(
            len(line_part.comma_parts) <= 2 for line_part in line_parts
        ):
            return self._read_couple(line_parts[0], line_parts[1])
        return [
            self._clean_name(comma_part)
            for line_part in line_parts
            for comma_part in line_part.comma_parts
        ]

    def _parse_line_part(self, text: str) -> _LinePart:
        text = text.strip()
        text_without_marks = _UNCERTAINTY_MARK_PATTERN.sub("", text)
        if text_without_marks != text:
            self.doubts.append(
                _("“?” was left out: %(name)s.") % {"name": clean_name(text_without_marks)}
            )
        comma_parts = [
            part.strip() for part in text_without_marks.split(",") if is_person_name(part)
        ]
        return _LinePart(clean_name(text_without_marks), comma_parts)

    def _read_single_name(self, line_part: _LinePart) -> list[str]:
        """Return the name of one person, or two names if a comma separates two full names."""
        if not line_part.is_surname_first:
            return [self._clean_name(comma_part) for comma_part in line_part.comma_parts]
        text_before_comma, text_after_comma = line_part.comma_parts
        surname_count = len(_remove_particles(text_before_comma))
        if (
            surname_count > 1
            and len(text_after_comma.split()) > 1
            and not text_before_comma.isupper()
        ):
            return [self._clean_name(text_before_comma), self._clean_name(text_after_comma)]
        name = self._put_first_name_first(line_part)
        if surname_count > 1:
            self._add_doubt(name)
        return [name]

    def _split_names_at_commas(self, line_part: _LinePart, expected_count: int) -> list[str]:
        """Return the names in a part in which only commas separate people."""
        comma_parts = line_part.comma_parts
        if expected_count == 2 and len(comma_parts) == 4:
            names = [
                put_first_name_first(", ".join(comma_parts[:2])),
                put_first_name_first(", ".join(comma_parts[2:])),
            ]
            self._add_doubt(*names)
            return [self._clean_name(name) for name in names]
        if expected_count == 2 and len(comma_parts) == 2:
            full_name = put_first_name_first(", ".join(comma_parts))
            if self._may_be_one_person(comma_parts, full_name):
                self.doubts.append(_("This may be one person: %(name)s.") % {"name": full_name})
        return [self._clean_name(comma_part) for comma_part in comma_parts]

    def _may_be_one_person(self, comma_parts: Sequence[str], full_name: str) -> bool:
        """Return whether two texts that a comma separates, such as "Alder, Ann", may be one
        person.

        This is the case if the combined name is known, or if one of the texts is a single word.
        """
        text_before_comma, text_after_comma = comma_parts
        if self._are_names_known(comma_parts) or build_name_key(
            text_before_comma
        ) == build_name_key(text_after_comma):
            return False
        is_short = (
            1 in (len(text_before_comma.split()), len(text_after_comma.split()))
            or text_before_comma[0].islower()
        )
        return is_short or build_name_key(full_name) in self.known_names

    def _read_couple(self, first_part: _LinePart, second_part: _LinePart) -> list[str]:
        """Return the names of two partners; a surname may be written only once for both."""
        if (
            first_part.is_surname_first
            and second_part.is_short
            and len(first_part.comma_parts[0]) > 1
        ):
            names = [
                self._put_first_name_first(first_part),
                f"{second_part.text} {first_part.comma_parts[0]}",
            ]
        elif (
            first_part.is_short
            and not second_part.is_short
            and not self._are_names_known([first_part.text])
        ):
            shared_words = self._find_shared_words(first_part, second_part)
            names = [
                f"{first_part.text} {' '.join(shared_words)}",
                self._put_first_name_first(second_part)
                if second_part.is_surname_first
                else second_part.text,
            ]
        else:
            names = [
                self._put_first_name_first(first_part)
                for first_part in (first_part, second_part)
            ]
            if first_part.is_surname_first != second_part.is_surname_first or (
                first_part.is_titled_word and not second_part.is_short
            ):
                self._add_doubt(*names)
            return names
        cleaned_names = [self._clean_name(name) for name in names]
        if build_name_key(cleaned_names[0]) == build_name_key(cleaned_names[1]):
            # only a title distinguishes the partners
            cleaned_names = [clean_name(name) for name in names]
        message = _("Read as two people: %(names)s.")
        self.doubts.append(message % {"names": format_people(cleaned_names)})
        return cleaned_names

    def _find_shared_words(self, first_part: _LinePart, second_part: _LinePart) -> list[str]:
        """Return the words of the second name that belong to both names, usually the
        surname.
        """
        if second_part.is_surname_first:
            return second_part.comma_parts[0].split()
        words = [word for word in second_part.text.split() if not _is_title(word)]
        return words if _is_title(first_part.text) else get_surname_words(words)

    def _read_team(self, text: str) -> list[str]:
        """Return the names of four people.

        The text is a list of names, or two pairs such as "A Ash & B Bell, C Cox & D Dean".
        """
        pairs = [
            [
                self._parse_line_part(part_text)
                for part_text in _SEPARATOR_PATTERN.split(pair_text)
                if is_person_name(part_text)
            ]
            for pair_text in text.split(",")
        ]
        if len(pairs) == 2 and all(len(pair) == 2 for pair in pairs):
            return [
                name
                for first_part, second_part in pairs
                for name in self._read_couple(first_part, second_part)
            ]
        line_parts = [
            self._parse_line_part(part_text)
            for part_text in _SEPARATOR_PATTERN.split(text)
            if is_person_name(part_text)
        ]
        if len(line_parts) == 4 and all(line_part.is_surname_first for line_part in line_parts):
            return [self._put_first_name_first(line_part) for line_part in line_parts]
        return [
            self._clean_name(comma_part)
            for line_part in line_parts
            for comma_part in line_part.comma_parts
        ]

    def _put_first_name_first(self, line_part: _LinePart) -> str:
        return self._clean_name(
            put_first_name_first(line_part.text)
            if line_part.is_surname_first
            else line_part.text
        )

    def _clean_name(self, text: str) -> str:
        cleaned_name = clean_name(text)
        return (
            cleaned_name
            if build_name_key(cleaned_name) in self.known_names
            else remove_title(cleaned_name)
        )

    def _are_names_known(self, names: Sequence[str]) -> bool:
        return all(build_name_key(name) in self.known_names for name in names)

    def _add_doubt(self, *names: str) -> None:
        self.doubts.append(_("Read as %(names)s.") % {"names": format_people(names)})


def remove_title(name: str) -> str:
    """Return a name without its title: "Joan Hall" for "Mrs Joan Hall".

    A title before a single word is not removed: "Mrs Hall".
    """
    words = clean_name(name).split()
    title_count = next((index for index, word in enumerate(words) if not _is_title(word)), 0)
    return " ".join(words[title_count:] if len(words) - title_count > 1 else words)


def _remove_particles(text: str) -> list[str]:
    return [word for word in text.split() if word.casefold() not in SURNAME_PARTICLES]


def _is_title(word: str) -> bool:
    return word.rstrip(".").casefold() in PERSONAL_TITLES


def _is_initial(word: str) -> bool:
    return len(word.replace(".", "")) <= 1


def is_person_name(text: str) -> bool:
    """Return whether a text can be a person's name, unlike "?", "–" and "TBA"."""
    stripped_text = text.strip()
    return (
        bool(re.search(r"\w", stripped_text))
        and stripped_text.casefold() not in PLACEHOLDER_NAMES
    )
