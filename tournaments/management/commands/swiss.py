"""Draw a Swiss round from a file, or simulate whole tournaments; needs no database."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from server.command_line import read_file
from server.json_reader.decoder import decode_json
from tournaments.movements.formatting import join_alternatives
from tournaments.swiss import RoundDraw, UnreadableField, draw_round, read_field
from tournaments.swiss.field_reader import compute_fingerprint
from tournaments.swiss_simulation import (
    SIMULATED_METHODS,
    TournamentParameters,
    simulate_tournaments,
)

MAX_FILE_BYTES = 4_000_000


class Command(BaseCommand):
    """The command to draw a round or to simulate tournaments."""

    help = "Draw a Swiss round from a file, or simulate tournaments."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the subcommand and its arguments."""
        parser.add_argument("act", help="draw or rehearse")
        parser.add_argument(
            "file", nargs="?", help="file with the field, or - for standard input"
        )
        parser.add_argument("--format", choices=["text", "json"], default="text")
        for option_name, default in (
            ("entries", 40),
            ("rounds", 6),
            ("boards", 4),
            ("tournaments", 200),
        ):
            parser.add_argument(f"--{option_name}", metavar="N", default=default)
        parser.add_argument("--method", default="swiss", help=", ".join(SIMULATED_METHODS))
        parser.add_argument("--kind", choices=["pairs", "teams"], default="pairs")
        parser.add_argument(
            "--skill", default="0.2", help="spread of strength (tricks per board)"
        )
        parser.add_argument("--seed", default="1")

    def handle(self, *args: str, **options: Any) -> None:
        """Print the result, or an error in one line."""
        if options["act"] == "draw":
            self.stdout.write(_draw_round(options))
        elif options["act"] == "rehearse":
            self.stdout.write(_simulate_tournaments(options))
        else:
            raise CommandError(_("usage: swiss draw FILE, or swiss rehearse"))


def _draw_round(options: dict[str, Any]) -> str:
    if not options["file"]:
        raise CommandError(_("Enter the file to draw from, or - for standard input."))
    try:
        field_data = decode_json(_read_file(options["file"]), UnreadableField)
        draw_field = read_field(field_data)
        round_draw = draw_round(draw_field)
    except UnreadableField as problem:
        raise CommandError(str(problem)) from problem
    if options["format"] == "json":
        return json.dumps(
            _build_draw_data(round_draw, draw_field.seed, field_data),
            ensure_ascii=False,
            indent=1,
        )
    pairing_lines = [
        f"{pairing.table_number:>4}  {pairing.ns} – {pairing.ew}  {pairing.reason}"
        for pairing in round_draw.pairings
    ]
    return "\n".join(
        [*pairing_lines, *([round_draw.sit_out_reason] if round_draw.sit_out_ids else [])]
    )


def _build_draw_data(round_draw: RoundDraw, seed: str, field_data: object) -> dict[str, Any]:
    draw_data: dict[str, Any] = {
        "pairings": [
            {
                "table": pairing.table_number,
                "ns": pairing.ns,
                "ew": pairing.ew,
                "reason": pairing.reason,
            }
            for pairing in round_draw.pairings
        ],
        "sit_out": list(round_draw.sit_out_ids),
        "objective": list(round_draw.costs),
        "seed": seed,
        "input": compute_fingerprint(field_data),
    }
    if round_draw.three_way_ids:
        draw_data["three_way"] = list(round_draw.three_way_ids)
    if round_draw.sit_out_ids:
        draw_data["sit_out_reason"] = round_draw.sit_out_reason
    return draw_data


def _read_file(file_name: str) -> bytes:
    file_content = read_file(file_name)
    if len(file_content) > MAX_FILE_BYTES:
        raise CommandError(_("%(file)s is too long.") % {"file": file_name})
    return file_content


def _simulate_tournaments(options: dict[str, Any]) -> str:
    pairing_method_names = (
        [str(options["method"])] if options["method"] != "all" else list(SIMULATED_METHODS)
    )
    if not set(pairing_method_names) <= set(SIMULATED_METHODS):
        raise CommandError(
            _("--method must be %(names)s.")
            % {"names": join_alternatives([*SIMULATED_METHODS, "all"])}
        )
    numbers_by_option = {
        name: _parse_number(name, options[name], minimum, maximum)
        for name, minimum, maximum in (
            *(("entries", 4, 200), ("rounds", 1, 30), ("boards", 1, 40)),
            ("tournaments", 1, 5_000),
        )
    }
    if numbers_by_option["rounds"] >= numbers_by_option["entries"]:
        raise CommandError(_("--rounds must be fewer than the number of entries."))
    tournament_parameters = TournamentParameters(
        entry_count=numbers_by_option["entries"],
        round_count=numbers_by_option["rounds"],
        board_count=numbers_by_option["boards"],
        kind=options["kind"],
        skill_deviation=_parse_decimal("skill", options["skill"]),
    )
    results = [
        simulate_tournaments(
            tournament_parameters, name, numbers_by_option["tournaments"], str(options["seed"])
        )
        for name in pairing_method_names
    ]
    if options["format"] == "json":
        return json.dumps([result.as_data() for result in results], indent=1)
    heading = f"{'method':10} {'tau':>7} {'corrected':>10} {'best wins':>10}"
    return "\n".join([heading, *(result.as_text() for result in results)])


def _parse_number(option_name: str, option_value: object, minimum: int, maximum: int) -> int:
    value_text = str(option_value)
    if (
        not value_text.isascii()
        or not value_text.isdecimal()
        or not minimum <= int(value_text[:9]) <= maximum
    ):
        raise CommandError(
            _("--%(name)s must be a whole number from %(least)s to %(most)s.")
            % {"name": option_name, "least": minimum, "most": maximum}
        )
    return int(value_text)


def _parse_decimal(option_name: str, value_text: str) -> float:
    try:
        decimal_value = float(value_text)
    except ValueError:
        decimal_value = -1.0
    if not 0 < decimal_value <= 10:
        raise CommandError(
            _("--%(name)s must be a number above 0, at most 10.") % {"name": option_name}
        )
    return decimal_value
