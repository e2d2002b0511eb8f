"""Import a club's people from the command line: `manage.py people import FILE --club C`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from boards.whist import WhistError
from clubs.models import Club
from clubs.people.columns import parse_columns
from clubs.people.dates import DAY_MONTH_ORDERS
from clubs.people.import_preview import ImportPreview
from server.command_line import read_file
from server.databases import prepare_database
from tournaments.services.people import import_people, preview_people


class Command(BaseCommand):
    """The command to import a list of people."""

    help = "Import a list of people (CSV or XLSX) into a club, all or none."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the subcommand `import` and its options."""
        subparsers = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
        import_parser = subparsers.add_parser(
            "import", help="import a list, or - for standard input"
        )
        import_parser.add_argument("file")
        import_parser.add_argument(
            "--club", required=True, help="short name or name of the club"
        )
        import_parser.add_argument(
            "--map", default="", metavar="name=2,number=1", help="columns"
        )
        import_parser.add_argument(
            "--dates",
            choices=DAY_MONTH_ORDERS,
            default="",
            help="order of dates such as 3/4/2020",
        )
        import_parser.add_argument(
            "--good-rows", action="store_true", help="import the good rows, report the others"
        )
        import_parser.add_argument(
            "--dry-run", action="store_true", help="only show what would be imported"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the list, and print the corrections that it needs."""
        prepare_database()
        club = _find_club(options["club"])
        try:
            file_content, column_numbers = (
                read_file(options["file"]),
                parse_columns(options["map"]),
            )
            day_month_order = options["dates"]
            if options["dry_run"]:
                preview = preview_people(
                    club=club,
                    content=file_content,
                    column_numbers=column_numbers,
                    day_month_order=day_month_order,
                )
            else:
                preview = import_people(
                    club=club,
                    content=file_content,
                    column_numbers=column_numbers,
                    day_month_order=day_month_order,
                    should_skip_invalid_rows=options["good_rows"],
                    by=None,
                )
        except WhistError as problem:
            problems = getattr(problem, "problems", None) or [str(problem)]
            raise CommandError("\n".join(problems)) from None
        for output_line in describe_import(preview):
            self.stdout.write(output_line)


def describe_import(preview: ImportPreview) -> list[str]:
    """Return lines that describe the effect of importing a list of people, the totals last."""
    output_lines = [
        _("new: row %(row)s, %(name)s") % {"row": person.row_number, "name": person.name}
        for person in preview.new_people
    ]
    if preview.is_date_order_guessed:
        output_lines.append(_("dates: day first (--dates month reads 3/4/2020 as 4 March)"))
    output_lines += [
        _("changed: %(name)s, %(key)s: %(old)s → %(new)s")
        % {
            "name": person.player.name,
            "key": detail_name,
            "old": old_value or "–",
            "new": new_value,
        }
        for person in preview.changed_people
        for detail_name, (old_value, new_value) in person.changes_by_field.items()
    ]
    output_lines += [
        _("uncertain: row %(row)s, %(name)s may be %(like)s")
        % {
            "row": person.person.row_number,
            "name": person.person.name,
            "like": ", ".join(person.similar_names),
        }
        for person in preview.doubtful_people
        if person.similar_names
    ]
    output_lines += [
        _("uncertain: row %(row)s: %(why)s") % {"row": person.person.row_number, "why": doubt}
        for person in preview.doubtful_people
        for doubt in person.person.doubts
    ]
    output_lines += [
        _("error: row %(row)s, %(column)s: %(why)s")
        % {"row": row_error.row_number, "column": row_error.field_key, "why": row_error.reason}
        for row_error in preview.row_errors
    ]
    counts_by_result = {
        "new": len(preview.new_people),
        "changed": len(preview.changed_people),
        "same": len(preview.unchanged_people),
        "doubtful": len(preview.doubtful_people),
        "faulty": len(preview.row_errors),
    }
    if preview.is_unchanged:
        return [
            *output_lines,
            _("nothing changed: %(same)s people already listed") % counts_by_result,
        ]
    message = _(
        "%(new)s new, %(changed)s changed, %(same)s same, "
        "%(doubtful)s uncertain, %(faulty)s errors"
    )
    return [*output_lines, message % counts_by_result]


def _find_club(name: str) -> Club:
    club = Club.objects.filter(slug=name).first() or Club.objects.filter(name=name).first()
    if club is None:
        raise CommandError(_("Club %(name)s not found.") % {"name": name})
    return club
