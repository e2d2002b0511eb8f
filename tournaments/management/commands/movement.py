"""Print a movement and its balance, or suggest movements for an evening, without a database."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from tournaments.movements import (
    SYSTEMS_BY_NAME,
    SizeUnit,
    UnplayableMovement,
    build_movement_json,
    build_named_movement,
)
from tournaments.movements.advice.description import build_described_suggestion_data
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.movements.suggest import (
    build_turnout,
    list_helpful_changes,
    list_suggestions_or_raise,
)
from tournaments.movements.system_names import find_system_name
from tournaments.movements.text_layout import format_movement, format_suggestions
from tournaments.swiss.advice import (
    SwissProposal,
    build_swiss_row,
    format_swiss_proposal,
    propose_swiss,
)

SIZE_OPTIONS = ("tables", "pairs", "players", "teams")
EVENING_OPTIONS = (
    *("boards", "minutes", "boards_at_hand", "stationary", "winners", "rounds"),
    *("sets", "max_tables"),
)


class Command(BaseCommand):
    """Print a movement, or the adviser's suggestions."""

    help = "Print a movement and its balance, or suggest a movement."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the movement's name and size, and the limits of the evening."""
        parser.add_argument("name", nargs="?", help="e.g. mitchell or howell")
        parser.add_argument("--suggest", action="store_true", help="list suitable movements")
        for option in SIZE_OPTIONS:
            parser.add_argument(f"--{option}", metavar="N", help=f"number of {option}")
        parser.add_argument("--rounds", metavar="N", help="stop after this many rounds")
        parser.add_argument("--absent", metavar="PLACES", help="empty places, e.g. 7NS,3EW")
        parser.add_argument(
            "--one-winner", action="store_true", help="arrow switches for one winner"
        )
        parser.add_argument(
            "--switch", metavar="ROUNDS", help="arrow switch in rounds, e.g. 6,7"
        )
        parser.add_argument("--boards", metavar="N", help="most boards per pair")
        parser.add_argument("--minutes", metavar="N", help="playing time")
        parser.add_argument("--boards-at-hand", metavar="N", help="most boards in total")
        parser.add_argument("--stationary", metavar="N", help="stationary pairs needed")
        parser.add_argument("--winners", metavar="N", help="one winner or two")
        parser.add_argument("--sets", metavar="K", help="copies of each board")
        parser.add_argument("--sections", metavar="N", default="auto", help="auto, 1, 2, …")
        parser.add_argument("--max-tables", metavar="N", help="most tables in a section")
        parser.add_argument("--system", metavar="NAME", help="only this kind of movement")
        parser.add_argument("--late-pair", action="store_true", help="allow for a late pair")
        parser.add_argument("--clubs", action="store_true", help="match between two clubs")
        parser.add_argument("--explain", action="store_true", help="show the downsides")
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *args: str, **options: Any) -> None:
        """Print the result, or an error in one line."""
        try:
            output_text = (
                _format_suggestions(options)
                if options["suggest"]
                else _format_movement(options)
            )
        except UnplayableMovement as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(output_text)


def _format_movement(options: dict[str, Any]) -> str:
    if not options["name"]:
        raise CommandError(_("Enter a movement, or use --suggest."))
    size_by_unit = {
        SizeUnit(unit_name): size
        for unit_name, size in _parse_numbers(options, SIZE_OPTIONS).items()
    }
    system_name = find_system_name(options["name"], size_by_unit)
    system_options = (
        SYSTEMS_BY_NAME[system_name].options if system_name in SYSTEMS_BY_NAME else ()
    )
    copies_option = {}
    if options["sets"] is not None and "copies" in system_options:
        copies_option["copies"] = _parse_number("sets", options["sets"])
    movement = build_named_movement(
        system_name,
        **_parse_numbers(options, (*SIZE_OPTIONS, "rounds")),
        **copies_option,
        absent=_split_list(options["absent"]),
        switch=[
            _parse_number("switch", round_text) for round_text in _split_list(options["switch"])
        ],
        one_winner=options["one_winner"],
    )
    if options["format"] == "json":
        return _format_json(build_movement_json(movement))
    return format_movement(movement)


def _format_suggestions(options: dict[str, Any]) -> str:
    sections = options["sections"]
    turnout = build_turnout(
        **_parse_numbers(options, (*SIZE_OPTIONS, *EVENING_OPTIONS)),
        sections=None if sections == "auto" else _parse_number("sections", sections),
        system=None if options["system"] == DRAWN_MOVEMENT_NAME else options["system"],
        late_pair=options["late_pair"],
        clubs=options["clubs"],
    )
    contest_code, entry_count, swiss_proposal = _suggest_swiss_rounds(options)
    is_swiss_only = options["system"] == DRAWN_MOVEMENT_NAME
    if is_swiss_only and swiss_proposal is None:
        raise CommandError(_("Swiss rounds don’t fit these options."))
    suggestions = [] if is_swiss_only else list_suggestions_or_raise(turnout)
    if options["format"] == "json":
        suggestion_rows = [
            build_described_suggestion_data(suggestion) for suggestion in suggestions
        ]
        return _format_json(
            _insert_swiss_items(
                suggestion_rows,
                swiss_proposal,
                [build_swiss_row(contest_code, entry_count, swiss_proposal)]
                if swiss_proposal
                else [],
            )
        )
    changes = list_helpful_changes(turnout, suggestions) if suggestions else []
    suggestions_text = format_suggestions(
        suggestions, changes, should_explain=options["explain"]
    )
    swiss_texts = [format_swiss_proposal(swiss_proposal)] if swiss_proposal else []
    return "\n\n".join(
        _insert_swiss_items(
            [suggestions_text] if suggestions_text else [], swiss_proposal, swiss_texts
        )
    )


def _suggest_swiss_rounds(options: dict[str, Any]) -> tuple[str, int, SwissProposal | None]:
    """Return "pairs" or "teams", the number of entries and a proposal of Swiss rounds.

    The proposal is None if the options exclude Swiss rounds.
    """
    numbers_by_option = _parse_numbers(options, (*SIZE_OPTIONS, *EVENING_OPTIONS))
    contest_code = "teams" if numbers_by_option.get("teams") else "pairs"
    entry_count = (
        numbers_by_option.get("teams")
        or numbers_by_option.get("pairs")
        or 2 * numbers_by_option.get("tables", 0)
    )
    is_swiss_ruled_out = (
        options["clubs"]
        or numbers_by_option.get("players")
        or numbers_by_option.get("winners") == 2
    )
    has_non_swiss_options = options["system"] not in (None, DRAWN_MOVEMENT_NAME) or options[
        "sections"
    ] not in (
        "auto",
        "1",
    )
    if is_swiss_ruled_out or has_non_swiss_options:
        return contest_code, entry_count, None
    return (
        contest_code,
        entry_count,
        propose_swiss(contest_code, entry_count, numbers_by_option),
    )


def _insert_swiss_items(
    movement_items: list[Any], swiss_proposal: SwissProposal | None, swiss_items: list[Any]
) -> list[Any]:
    """Put Swiss rounds first if they suit better than any planned movement, else last."""
    is_first = swiss_proposal is not None and swiss_proposal.is_first
    return [*swiss_items, *movement_items] if is_first else [*movement_items, *swiss_items]


def _parse_numbers(options: dict[str, Any], option_names: tuple[str, ...]) -> dict[str, Any]:
    return {
        option_name: _parse_number(option_name, options[option_name])
        for option_name in option_names
        if options[option_name] is not None
    }


def _parse_number(option_name: str, option_text: str | int) -> int:
    """Parse a whole number; argparse would report an error in several lines."""
    digits = str(option_text).strip()
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 4:
        raise CommandError(
            _("--%(name)s must be a whole number, not %(text)s.")
            % {"name": option_name.replace("_", "-"), "text": digits}
        )
    return int(digits)


def _split_list(list_text: str | None) -> list[str]:
    return [part.strip() for part in (list_text or "").split(",") if part.strip()]


def _format_json(json_data: object) -> str:
    return json.dumps(json_data, ensure_ascii=False, indent=1)
