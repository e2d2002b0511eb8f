"""The command `manage.py drive`, whose verbs plan, draw, rank, print or import a drive."""

import argparse
import json
import re
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from boards.whist import WhistError
from boards.whist.board_file import decode_text
from clubs.models import Club
from clubs.services.clubs import create_club
from clubs.today import get_club_date
from drives.draw.participants import Participants, PlayerId
from drives.files.drive_file import DriveFile, parse_drive_file
from drives.files.export import export_drive
from drives.files.plan_output import build_plan_data
from drives.files.standings import build_standings_data
from drives.files.state import (
    build_participants,
    build_round_data,
    list_played_rounds,
    parse_state,
)
from drives.files.values import parse_hex_bytes
from drives.files.verify import list_prize_draw_mismatches, list_seating_mismatches
from drives.games import find_game
from drives.games.output import build_game_data, build_games_data, build_hands_data
from drives.games.reading import parse_hand_file
from drives.models import Drive
from drives.papers.from_file import PrintOptions, print_drive_file
from drives.play_forms import DriveForm, find_play_form
from drives.play_forms.drawn_cards import (
    MAX_PLAYERS,
    START_BY_CARDS,
    can_seat_by_cards,
    plan_first_round_by_cards,
)
from drives.play_forms.rounds import select_form_terms
from drives.services import import_drive
from drives.snapshot import load_drive_snapshot
from drives.table_marks import get_table_marks_hooks
from server.databases import prepare_database

BAD_INPUT_EXIT_CODE = 2
MAX_NUMBER_DIGITS = 9


class OneLineErrorParser(CommandParser):
    """A parser that reports an error in one line, without the usage message."""

    def error(self, message: str) -> NoReturn:
        if self.called_from_command_line:
            self.exit(BAD_INPUT_EXIT_CODE, f"{message}\n")
        raise CommandError(message, returncode=BAD_INPUT_EXIT_CODE)


class Command(BaseCommand):
    """Runs the verbs of `manage.py drive`; only `import` and `export` use the database."""

    help = "Plan a whist drive, draw or move its rounds, rank, print, import or export it."
    requires_system_checks = []

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Create a parser that reports errors in one line."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.__class__ = OneLineErrorParser
        return parser

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the verbs and their options.

        Numbers are declared as texts, because the verbs report invalid ones in one line.
        """
        subparsers = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
        subcommand_parser = _add_subcommand(subparsers, "plan", "draw all rounds of a drive")
        subcommand_parser.add_argument(
            "--players", metavar="N", help="number of players, 4 to 2000"
        )
        subcommand_parser.add_argument(
            "--rounds", metavar="R", help="number of rounds, 1 to 100"
        )
        subcommand_parser.add_argument(
            "--form", default="social", metavar="F", help="the type of drive"
        )
        subcommand_parser.add_argument(
            "--seed", default="", metavar="HEX", help="the secret to draw from"
        )
        subcommand_parser.add_argument(
            "--apart", default="", metavar="PAIRS", help="never partners: 3-7,4-9"
        )
        subcommand_parser.add_argument(
            "--seated", default="", metavar="LIST", help="stationary players: 5,6"
        )
        subcommand_parser.add_argument(
            "--start", default="", metavar="HOW", help="cards: aces sit at table 1"
        )
        subcommand_parser.add_argument(
            "--house", default="0", metavar="K", help="number of stand-ins, 0 to 3"
        )
        subcommand_parser = _add_subcommand(
            subparsers, "papers", "print the papers of a drive's file as one PDF"
        )
        subcommand_parser.add_argument("file", help="a file, or - for standard input")
        subcommand_parser.add_argument(
            "--out", default="", metavar="PDF", help="the file to write"
        )
        subcommand_parser.add_argument(
            "--only", default="", metavar="LIST", help="score-cards,call-sheet"
        )
        subcommand_parser.add_argument(
            "--size", default="A4", metavar="SIZE", help="A4, A5 or Letter"
        )
        subcommand_parser.add_argument(
            "--copies", default="1", metavar="K", help="copies of each score card"
        )
        subcommand_parser.add_argument(
            "--cards", default="", metavar="LIST", help="score cards of these players only"
        )
        subcommand_parser.add_argument(
            "--round", default="", metavar="N", help="round of the seat list"
        )
        subcommand_parser.add_argument(
            "--club", default="", metavar="NAME", help="club name in the headings"
        )
        subcommand_parser.add_argument(
            "--date",
            default="",
            metavar="DATE",
            help="date such as 2026-11-27, today if left out",
        )
        for name, help_text in (
            ("next", "move the players after a hand, by its winners"),
            ("draw", "draw the next round"),
            ("standings", "rank a drive, check its totals and award its prizes"),
            ("verify", "repeat the draws of a drive's seats and prizes"),
            ("import", "import a drive's file (once, if repeated)"),
        ):
            subcommand_parser = _add_subcommand(subparsers, name, help_text)
            subcommand_parser.add_argument("file", help="a file, or - for standard input")
            if name == "import":
                subcommand_parser.add_argument(
                    "--club", default="", help="the club, created if missing"
                )
        subcommand_parser = _add_subcommand(
            subparsers, "hand", "score hands of games with contracts"
        )
        _add_hand_subcommands(
            subcommand_parser.add_subparsers(dest="hand_verb", required=True, metavar="VERB")
        )
        subcommand_parser = _add_subcommand(
            subparsers, "export", "export a drive's file, with its secret"
        )
        subcommand_parser.add_argument(
            "drive", nargs="?", default="", help="the drive’s slug or uid, if there are several"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the verb; errors are reported in one line, with exit code 2."""
        try:
            output = _HANDLER_BY_SUBCOMMAND[options["verb"]](options)
        except WhistError as problem:
            raise CommandError(
                _replace_unprintable_characters(str(problem)), returncode=BAD_INPUT_EXIT_CODE
            ) from None
        self.stdout.write(json.dumps(output, ensure_ascii=False))


def _run_plan_subcommand(options: dict[str, Any]) -> dict[str, object]:
    play_form = find_play_form(options["form"])
    round_count = _parse_number("rounds", options["rounds"])
    participants = Participants(
        players=tuple(range(1, _parse_player_count(options["players"]) + 1)),
        pairs_kept_apart=frozenset(_parse_kept_apart_pairs(options["apart"])),
        stationary_players=tuple(
            _parse_number("seated", number_text)
            for number_text in _split_list(options["seated"])
        ),
        house_players=tuple(
            -player_number
            for player_number in range(1, _parse_house_player_count(options["house"]) + 1)
        ),
    )
    start_time = time.perf_counter()
    secret = parse_hex_bytes(options["seed"], "--seed") if options["seed"] else b""
    if options["start"]:
        _check_start_option(options["start"], play_form, len(participants.players))
        plan = plan_first_round_by_cards(participants, round_count)
    else:
        plan = play_form.plan_rounds(participants, round_count, secret)
    plan_data = build_plan_data(
        plan, participants, play_form_code=play_form.code, round_count=round_count
    )
    return plan_data | {"seconds": round(time.perf_counter() - start_time, 3)}


def _check_start_option(start_option: str, play_form: DriveForm, player_count: int) -> None:
    if start_option != START_BY_CARDS or not can_seat_by_cards(play_form):
        message = _("--start must be cards, with a type of drive moved by results.")
        raise CommandError(message, returncode=BAD_INPUT_EXIT_CODE)
    if player_count > MAX_PLAYERS:
        message = _("--start: enter at most %(most)s players, one for each playing card.") % {
            "most": MAX_PLAYERS
        }
        raise CommandError(message, returncode=BAD_INPUT_EXIT_CODE)


def _run_next_subcommand(options: dict[str, Any]) -> dict[str, object]:
    drive_state = parse_state(_read_file(options["file"]))
    play_form = drive_state.form
    if play_form.move_players is None:
        message = _("Type “%(form)s” isn’t moved by results. Use drive plan or drive draw.")
        raise CommandError(message % {"form": play_form.code}, returncode=BAD_INPUT_EXIT_CODE)
    form_terms = select_form_terms(drive_state.terms)
    next_round = play_form.move_players(
        drive_state.tables, form_terms, drive_state.rest_counts_by_player
    )
    return build_round_data(
        next_round,
        f"{play_form.format_call(form_terms)} {drive_state.tie_rule.announcement}".rstrip(),
    )


def _run_draw_subcommand(options: dict[str, Any]) -> dict[str, object]:
    drive_state = parse_state(_read_file(options["file"]))
    play_form = drive_state.form
    if play_form.draw_next_round is None:
        message = _("Type “%(form)s” isn’t drawn by rounds. Use drive plan or drive next.")
        raise CommandError(message % {"form": play_form.code}, returncode=BAD_INPUT_EXIT_CODE)
    next_round = play_form.draw_next_round(
        build_participants(drive_state),
        drive_state.secret,
        list_played_rounds(drive_state),
        drive_state.standing,
    )
    return build_round_data(next_round, play_form.format_call(drive_state.terms))


def _add_hand_subcommands(subparsers: Any) -> None:
    subcommand_parser = _add_subcommand(
        subparsers, "score", "compute the points of a file of hands"
    )
    subcommand_parser.add_argument("file", help="a file, or - for standard input")
    subcommand_parser = _add_subcommand(
        subparsers, "table", "show the points of a game's contracts"
    )
    subcommand_parser.add_argument("game", help="the game, such as wiezen")
    subcommand_parser.add_argument(
        "file", nargs="?", default="", help="a file of hands with changes"
    )
    _add_subcommand(subparsers, "games", "list the games and their ready variants")


def _run_hand_subcommand(options: dict[str, Any]) -> dict[str, object]:
    if options["hand_verb"] == "games":
        return build_games_data()
    file_text = _read_file(options["file"]) if options["file"] else ""
    if options["hand_verb"] == "score":
        return build_hands_data(parse_hand_file(file_text))
    game = find_game(options["game"])
    if not file_text:
        return build_game_data(game, None, {})
    hand_file = parse_hand_file(file_text)
    if hand_file.game is not game:
        message = _("%(file)s is a %(game)s file.")
        message_values = {"file": options["file"], "game": hand_file.game.code}
        raise CommandError(
            _replace_unprintable_characters(message % message_values),
            returncode=BAD_INPUT_EXIT_CODE,
        )
    return build_game_data(game, hand_file.variant, hand_file.club_changes)


def _run_standings_subcommand(options: dict[str, Any]) -> dict[str, object]:
    return build_standings_data(_parse_drive_file(_read_file(options["file"])))


def _run_papers_subcommand(options: dict[str, Any]) -> dict[str, object]:
    if not options["out"]:
        raise CommandError(
            _("Enter the PDF to write: --out FILE."), returncode=BAD_INPUT_EXIT_CODE
        )
    print_options = PrintOptions(
        paper_names=tuple(_split_list(options["only"])),
        paper_size=options["size"],
        copy_count=_parse_number("copies", options["copies"]),
        card_numbers=frozenset(
            _parse_number("cards", number_text) for number_text in _split_list(options["cards"])
        ),
        round_number=_parse_number("round", options["round"]) if options["round"] else None,
        club_name=options["club"],
        date=_parse_date(options["date"]),
    )
    pdf, paper_names = print_drive_file(_read_file(options["file"]), print_options)
    try:
        Path(options["out"]).write_bytes(pdf)
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else problem
        message = f"{options['out']}: {reason}."
        raise CommandError(
            _replace_unprintable_characters(message), returncode=BAD_INPUT_EXIT_CODE
        ) from None
    return {"out": options["out"], "papers": paper_names, "bytes": len(pdf)}


def _parse_date(date_text: str) -> date:
    try:
        return date.fromisoformat(date_text) if date_text else get_club_date(None)
    except ValueError:
        message = _("Enter --date as 2026-11-27.")
        raise CommandError(message, returncode=BAD_INPUT_EXIT_CODE) from None


def _run_verify_subcommand(options: dict[str, Any]) -> dict[str, object]:
    drive_file = _parse_drive_file(_read_file(options["file"]))
    mismatches = [
        *list_prize_draw_mismatches(drive_file),
        *list_seating_mismatches(drive_file),
        *get_table_marks_hooks().find_mark_differences(drive_file),
    ]
    if mismatches:
        raise CommandError("\n".join(mismatches))
    return {"verified": True}


def _run_import_subcommand(options: dict[str, Any]) -> dict[str, object]:
    file_text = _read_file(options["file"])
    _parse_drive_file(file_text)  # check the file first, so that an invalid one creates no club
    prepare_database()
    with transaction.atomic():
        drive = import_drive(
            club=_get_or_create_club(options["club"]), file_text=file_text, by=None
        )
    return {"slug": drive.slug, "uid": str(drive.uid), "players": drive.players.count()}


def _get_or_create_club(name: str) -> Club:
    """Return the club with this name or slug; if there is none, create a club with the name.

    If `name` is empty, return the only club in the database.
    """
    clubs = list(
        Club.objects.filter(Q(name=name) | Q(slug=name)) if name else Club.objects.all()
    )
    if len(clubs) == 1:
        return clubs[0]
    if clubs:
        message = _("There are several clubs. Choose one with --club.")
        raise CommandError(message, returncode=BAD_INPUT_EXIT_CODE)
    return create_club(name=name or _("Whist drives"), owner=None, by=None)


def _run_export_subcommand(options: dict[str, Any]) -> dict[str, object]:
    prepare_database()
    identifier = options["drive"]
    drives = [
        drive
        for drive in Drive.objects.select_related("club", "evening")
        if not identifier or identifier in (drive.slug, str(drive.uid))
    ]
    if len(drives) != 1:
        message = (
            _("Drive “%(drive)s” not found.") if not drives else _("Choose one: %(drives)s.")
        )
        slugs = ", ".join(drive.slug for drive in drives[:20])
        error_text = message % {"drive": identifier, "drives": slugs}
        raise CommandError(
            _replace_unprintable_characters(error_text), returncode=BAD_INPUT_EXIT_CODE
        )
    return export_drive(load_drive_snapshot(drives[0]))


_HANDLER_BY_SUBCOMMAND: dict[str, Callable[[dict[str, Any]], dict[str, object]]] = {
    "plan": _run_plan_subcommand,
    "next": _run_next_subcommand,
    "draw": _run_draw_subcommand,
    "standings": _run_standings_subcommand,
    "verify": _run_verify_subcommand,
    "import": _run_import_subcommand,
    "export": _run_export_subcommand,
    "hand": _run_hand_subcommand,
    "papers": _run_papers_subcommand,
}


def _add_subcommand(subparsers: Any, name: str, help_text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name, help=help_text, description=help_text
    )
    parser.add_argument("--format", choices=["json"], default="json")
    return parser


def _replace_unprintable_characters(message: str) -> str:
    """Replace line breaks and control characters in an error message by spaces."""
    return "".join(character if character.isprintable() else " " for character in message)


def _read_file(file_name: str) -> str:
    try:
        file_bytes = (
            sys.stdin.buffer.read() if file_name == "-" else Path(file_name).read_bytes()
        )
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else problem
        raise CommandError(f"{file_name}: {reason}.", returncode=BAD_INPUT_EXIT_CODE) from None
    return decode_text(file_bytes)


def _parse_drive_file(file_text: str) -> DriveFile:
    return parse_drive_file(file_text, get_table_marks_hooks().file_format)


def _parse_number(option_name: str, number_text: str | None) -> int:
    digits = (number_text or "").strip()
    if not re.fullmatch(rf"-?[0-9]{{1,{MAX_NUMBER_DIGITS}}}", digits):
        message = _("--%(name)s must be a whole number.") % {"name": option_name}
        raise CommandError(message, returncode=BAD_INPUT_EXIT_CODE)
    return int(digits)


def _parse_player_count(count_text: str | None) -> int:
    """Parse the number of players; `Participants` checks its limits."""
    return max(0, min(_parse_number("players", count_text), 10_000))


def _parse_house_player_count(count_text: str) -> int:
    house_player_count = _parse_number("house", count_text)
    if not 0 <= house_player_count <= 3:
        raise CommandError(
            _("--house must be 0 to 3 stand-ins."), returncode=BAD_INPUT_EXIT_CODE
        )
    return house_player_count


def _parse_kept_apart_pairs(pairs_text: str) -> list[frozenset[PlayerId]]:
    pairs = []
    for pair_text in _split_list(pairs_text):
        first_text, dash, second_text = pair_text.partition("-")
        if not dash:
            message = _("Enter --apart as pairs, such as 3-7,4-9.")
            raise CommandError(message, returncode=BAD_INPUT_EXIT_CODE)
        pairs.append(
            frozenset[PlayerId](
                (_parse_number("apart", first_text), _parse_number("apart", second_text))
            )
        )
    return pairs


def _split_list(list_text: str) -> list[str]:
    return [item_text.strip() for item_text in list_text.split(",") if item_text.strip()]
