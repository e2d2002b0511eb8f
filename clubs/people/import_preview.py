"""The preview of a list's import: which people are new, changed, doubtful or invalid."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date as Date

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from clubs.models import Player
from clubs.name_folding import fold_name
from clubs.names.people import read_people, remove_title
from clubs.names.tidy import build_name_key, clean_name
from clubs.people import columns as heads
from clubs.people.dates import detect_date_order, parse_date
from clubs.people.limits import MISSING_FORMULA_VALUE, ListRow
from clubs.people.similar_names import SimilarNameIndex

PERSON_FIELDS = ("name", "number", "kind", "joined", "left", "email", "phone")
MAX_LENGTHS = {"name": 80, "number": 20, "email": 254, "phone": 40}  # in characters
WORDS_BY_PLAYER_KIND = {
    "member": "member|m|lid|mitglied|membre|full|yes",
    "visitor": "visitor|v|guest|g|gast|bezoeker|visiteur|non-member|no",
    "past": "past|p|left|former|past member|ex|oud-lid|ehemalig",
}
"""The words for each kind of person in lists, separated by "|"."""
_PLAYER_KINDS_BY_WORD = {
    word: kind for kind, words in WORDS_BY_PLAYER_KIND.items() for word in words.split("|")
}


@dataclass(frozen=True, slots=True)
class RowError:
    """An error in one row of the list, with its column."""

    row_number: int
    field_key: str
    reason: str


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """A person in the list; empty cells are not included in the values."""

    row_number: int
    values_by_field: Mapping[str, str]
    doubts: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The person's name, with the first name first."""
        return self.values_by_field["name"]


@dataclass(frozen=True, slots=True)
class ChangedPerson:
    """An existing player whose data in the list differ, with old and new values by field."""

    person: ListedPerson
    player: Player
    changes_by_field: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class DoubtfulPerson:
    """A new person whose name was uncertain to parse, or resembles `similar_names`."""

    person: ListedPerson
    similar_names: tuple[str, ...]


@dataclass(slots=True)
class ImportPreview:
    """The result of comparing a list with a club's people, before anything is stored."""

    new_people: list[ListedPerson] = field(default_factory=list)
    changed_people: list[ChangedPerson] = field(default_factory=list)
    unchanged_people: list[ListedPerson] = field(default_factory=list)
    # these people are also in `new_people`
    doubtful_people: list[DoubtfulPerson] = field(default_factory=list)
    row_errors: list[RowError] = field(default_factory=list)
    day_month_order: str = ""
    """The order of dates such as 3/4/2020: "day" or "month" first, or "" without such dates."""
    is_date_order_guessed: bool = False
    invalid_rows: list[ListRow] = field(default_factory=list)  # as read

    @property
    def has_importable_rows(self) -> bool:
        """Whether at least one valid row would create or change a person."""
        return bool(self.new_people or self.changed_people)

    @property
    def is_unchanged(self) -> bool:
        """Whether all people in the list already exist with the same values."""
        return not (self.new_people or self.changed_people or self.row_errors)


def build_preview(
    rows: Sequence[ListRow],
    columns_by_key: heads.ColumnIndexes,
    people: Iterable[Player],
    day_month_order: str = "",
) -> ImportPreview:
    """Compare the rows of a list with a club's people, and return the preview.

    `day_month_order` is "day" or "month" for the first number of dates; if it is empty, the
    order is detected.
    """
    preview = ImportPreview()
    existing_people = _ExistingPeople(people)
    preview.day_month_order, preview.is_date_order_guessed = (
        (day_month_order, False)
        if day_month_order
        else _detect_date_order(rows, columns_by_key)
    )
    for person in list(
        _iter_valid_people(rows, columns_by_key, preview, existing_people.player_by_name)
    ):
        player = existing_people.find_match(person)
        if isinstance(player, RowError):
            preview.row_errors.append(player)
        elif player is None:
            preview.new_people.append(person)
            similar_names = existing_people.find_similar_names(person)
            if similar_names or person.doubts:
                preview.doubtful_people.append(DoubtfulPerson(person, similar_names))
        elif changes_by_field := _list_changes(person, player):
            preview.changed_people.append(ChangedPerson(person, player, changes_by_field))
        else:
            preview.unchanged_people.append(person)
    invalid_row_numbers = {row_error.row_number for row_error in preview.row_errors}
    preview.invalid_rows = [row for row in rows if row.row_number in invalid_row_numbers]
    return preview


def _detect_date_order(
    rows: Iterable[ListRow], columns_by_key: heads.ColumnIndexes
) -> tuple[str, bool]:
    columns = [
        columns_by_key[field_key]
        for field_key in ("joined", "left")
        if field_key in columns_by_key
    ]
    return detect_date_order(
        row.cells[column] for row in rows for column in columns if column < len(row.cells)
    )


class _ExistingPeople:
    """The existing people of a club, for matching rows by number and by name.

    Each person is matched by at most one row.
    """

    def __init__(self, people: Iterable[Player]) -> None:
        all_people = list(people)
        self.player_by_number = {
            player.number: player for player in all_people if player.number
        }
        self.player_by_name = {build_name_key(player.name): player for player in all_people}
        self.player_by_email = {
            player.email.casefold(): player for player in all_people if player.email
        }
        self.row_numbers_by_player: dict[int, int] = {}
        self.similar_name_index = SimilarNameIndex()
        for player in all_people:
            self.similar_name_index.add_name(player.name)

    def find_match(self, listed_person: ListedPerson) -> Player | RowError | None:
        """Return the existing player for a row, by number or else by name, or None.

        Returns a RowError if number and name belong to different players, or if an earlier row
        has already matched this player.
        """
        numbered_player = self.player_by_number.get(
            listed_person.values_by_field.get("number", "")
        )
        namesake = self.player_by_name.get(build_name_key(listed_person.name))
        if numbered_player is not None and namesake is not None and numbered_player != namesake:
            message = _("The number is %(one)s’s, but the name is another player’s.")
            return RowError(
                listed_person.row_number, "number", message % {"one": numbered_player.name}
            )
        player = namesake if numbered_player is None else numbered_player
        if player is None:
            return None
        first_row_number = self.row_numbers_by_player.setdefault(
            player.pk, listed_person.row_number
        )
        if first_row_number != listed_person.row_number:
            message = _("This is %(one)s, who is already in row %(row)s.")
            return RowError(
                listed_person.row_number,
                "name",
                message % {"one": player.name, "row": first_row_number},
            )
        return player

    def find_similar_names(self, listed_person: ListedPerson) -> tuple[str, ...]:
        """Return the names of existing people with a similar name or the same e-mail
        address.
        """
        similar_names = self.similar_name_index.find_similar_names(listed_person.name)
        person_with_email = self.player_by_email.get(
            listed_person.values_by_field.get("email", "").casefold()
        )
        if person_with_email is not None and person_with_email.name not in similar_names:
            similar_names.append(person_with_email.name)
        self.similar_name_index.add_name(listed_person.name)
        return tuple(similar_names)


def _iter_valid_people(
    rows: Iterable[ListRow],
    columns_by_key: heads.ColumnIndexes,
    preview: ImportPreview,
    known_names: Container[str],
) -> Iterator[ListedPerson]:
    """Yield the people in valid rows, each person once, and record the errors of other rows."""
    row_errors = preview.row_errors
    row_number_by_member_number: dict[str, int] = {}
    person_by_name_key: dict[str, ListedPerson] = {}
    for row in rows:
        texts_by_field = {
            field_key: row.cells[column]
            for field_key, column in columns_by_key.items()
            if column < len(row.cells) and row.cells[column]
        }
        values_by_field, current_row_errors = _read_values(
            row.row_number, texts_by_field, preview.day_month_order
        )
        doubts = _read_name(row.row_number, values_by_field, current_row_errors, known_names)
        member_number = values_by_field.get("number", "")
        if (
            member_number
            and row_number_by_member_number.setdefault(member_number, row.row_number)
            != row.row_number
        ):
            message = _("This number is already in row %(row)s.")
            current_row_errors.append(
                RowError(
                    row.row_number,
                    "number",
                    message % {"row": row_number_by_member_number[member_number]},
                )
            )
        if current_row_errors:
            row_errors += current_row_errors
            continue
        person = ListedPerson(row.row_number, values_by_field, doubts)
        first_person = person_by_name_key.setdefault(build_name_key(person.name), person)
        if first_person is person:
            yield person
        elif first_person.values_by_field != values_by_field:
            message = _(
                "This name is in row %(row)s with other values. Make the names different."
            )
            row_errors.append(
                RowError(row.row_number, "name", message % {"row": first_person.row_number})
            )


def _read_values(
    row_number: int, texts_by_field: Mapping[str, str], day_month_order: str
) -> tuple[dict[str, str], list[RowError]]:
    values_by_field: dict[str, str] = {}
    row_errors: list[RowError] = []
    for field_key, cell_text in texts_by_field.items():
        if MISSING_FORMULA_VALUE in cell_text:
            message = _("This formula has no value. Save the list again.")
            row_errors.append(RowError(row_number, field_key, message))
        elif not (cleaned_text := clean_name(cell_text)).isprintable():
            row_errors.append(
                RowError(
                    row_number, field_key, _("This contains a character that can’t be printed.")
                )
            )
        else:
            values_by_field[field_key] = cleaned_text
    row_errors += _convert_values(row_number, values_by_field, day_month_order)
    return values_by_field, row_errors


def _read_name(
    row_number: int,
    values_by_field: dict[str, str],
    row_errors: list[RowError],
    known_names: Container[str],
) -> tuple[str, ...]:
    """Combine the name columns, check all value lengths, and return warnings as sentences."""
    name_parts = [
        values_by_field.pop(heads.FIRST_NAME_KEY, ""),
        values_by_field.pop(heads.SURNAME_KEY, ""),
    ]
    name, doubts = values_by_field.get("name", ""), tuple[str, ...]()
    if name:
        parsed_people = read_people(name, 1, known_names)
        doubts = parsed_people.doubts
        if len(parsed_people.names) > 1:
            message = _("This names %(count)s people. Use one row for each.")
            row_errors.append(
                RowError(row_number, "name", message % {"count": len(parsed_people.names)})
            )
        name = " ".join(parsed_people.names[:1])
    elif any(name_parts):
        full_name = clean_name(" ".join(name_parts))
        name = (
            full_name if build_name_key(full_name) in known_names else remove_title(full_name)
        )
    values_by_field["name"] = name
    if not name and not row_errors:
        row_errors.append(RowError(row_number, "name", _("The name is missing.")))
    for field_key, max_length in MAX_LENGTHS.items():
        if len(values_by_field.get(field_key, "")) > max_length:
            message = _("Enter at most %(longest)s characters.")
            row_errors.append(
                RowError(row_number, field_key, message % {"longest": max_length})
            )
    return doubts


def _convert_values(
    row_number: int, values_by_field: dict[str, str], day_month_order: str
) -> Iterator[RowError]:
    """Convert the kind, the dates and the e-mail address to stored values; yield the errors."""
    for field_key, convert in _CONVERTERS.items():
        if field_key in values_by_field:
            values_by_field[field_key], error = convert(
                values_by_field[field_key], day_month_order
            )
            if error:
                yield RowError(row_number, field_key, error)


def _convert_kind(cell_text: str, _day_month_order: str) -> tuple[str, str]:
    player_kind = _PLAYER_KINDS_BY_WORD.get(fold_name(cell_text), "")
    return player_kind, "" if player_kind else _("Enter member, visitor or past.")


def _convert_date(cell_text: str, day_month_order: str) -> tuple[str, str]:
    day = parse_date(cell_text, day_month_order)
    if day is None:
        message = _("“%(text)s” isn’t a date. Enter it as 2026-03-10.")
        return "", message % {"text": cell_text[:20]}
    return day.isoformat(), ""


def _convert_email(cell_text: str, _day_month_order: str) -> tuple[str, str]:
    try:
        validate_email(cell_text)
    except ValidationError:
        return cell_text, _("Enter an e-mail address, e.g. ann@example.org.")
    return cell_text, ""


_CONVERTERS = {
    "kind": _convert_kind,
    "joined": _convert_date,
    "left": _convert_date,
    "email": _convert_email,
}


def _list_changes(listed_person: ListedPerson, player: Player) -> dict[str, tuple[str, str]]:
    """Return the old and new values of fields that differ; an empty cell changes nothing."""
    changes_by_field = {}
    for field_key, new_value in listed_person.values_by_field.items():
        old_value = getattr(player, field_key)
        old_value = old_value.isoformat() if isinstance(old_value, Date) else old_value or ""
        is_same = (
            build_name_key(old_value) == build_name_key(new_value)
            if field_key == "name"
            else old_value == new_value
        )
        if new_value and not is_same:
            changes_by_field[field_key] = (old_value, new_value)
    return changes_by_field
