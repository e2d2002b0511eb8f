"""Upgrade of a year of evenings that version 1.0 created with its own program.

Run manually: `python -m bench.old_year` in a checkout with its history. It downloads the
libraries of version 1.0, which creates pairs, teams, individuals and memory duplicates with
rulings, queries, undone acts and archived events. The current program upgrades the database and
computes all standings and event files again, and undoes each act that 1.0 could undo. With
`--postgres URL`, the year is created on that server instead of in an SQLite file.

It exits with 0 if there is no difference.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.load import print_step
from bench.old_year_script import YEAR_SCRIPT
from bench.rolling import check_out_old_release, install_old_release

TEST_LIBRARIES = ("factory-boy", "hypothesis", "pytest")
DATABASE_NAME = "overplay_old_year"


def main() -> int:
    """Print the figures of the upgrade; return 0 if all contents are unchanged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evenings", type=int, default=50)
    parser.add_argument("--postgres", default="", help="a server: postgres://user@host:5432")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        checkout = stack.enter_context(check_out_old_release(folder))
        print_step("the libraries of version 1.0 are being installed")
        python = install_old_release(folder, checkout)
        subprocess.run([python, "-m", "pip", "install", "-q", *TEST_LIBRARIES], check=True)
        _set_up()
        from tests.releases import stored

        url = ""
        if options.postgres:
            server = stored.create_postgres_database(options.postgres, DATABASE_NAME)
            url = stack.enter_context(server)
        print_step(f"version 1.0 plays {options.evenings} evenings")
        arguments = [python, "-c", YEAR_SCRIPT, str(folder), str(options.evenings), url]
        subprocess.run(arguments, cwd=checkout, check=True)
        return _compare_contents(folder, url)


def _set_up() -> None:
    """Start Django as the tests do, with every job run immediately."""
    import tests.conftest  # noqa: F401 - sets the environment before Django's settings
    from tests.releases import store

    store.set_up()


def _compare_contents(folder: Path, url: str) -> int:
    """Upgrade the database, and compare it with what version 1.0 stored about it."""
    from django.core.management import call_command
    from django.test import override_settings

    from config.environment import build_database_settings
    from tests.databases import build_sqlite_settings, use_database
    from tests.releases.chance import fix_clock_and_secrets

    old_contents = json.loads((folder / "year.json").read_text("utf-8"))
    if url:
        database_settings = build_database_settings({"DATABASE_URL": url}, folder)
    else:
        database_settings = build_sqlite_settings(folder / "overplay.sqlite3")
    with override_settings(BACKUP_DIR=folder / "backups"), use_database(database_settings):
        started_at = time.monotonic()
        call_command("upgrade", verbosity=0)
        seconds = time.monotonic() - started_at
        with fix_clock_and_secrets(datetime.fromisoformat(old_contents["moment"])):
            differences = _list_differences(old_contents)
    counts_text = f"{len(old_contents['standings'])} events, {old_contents['results']} results"
    print_step(
        f"{counts_text}, {len(old_contents['goes back'])} acts to undo; "
        f"upgraded in {seconds:.1f} s"
    )
    print_step(f"{len(differences)} differences {differences[:20]}")
    return int(bool(differences))


def _list_differences(then: dict[str, Any]) -> list[object]:
    """Return the events and acts whose contents are no longer those of version 1.0."""
    from tests.releases import database_contents

    standings = database_contents.recompute_standings()
    files = database_contents.export_event_files()
    undone_actions = database_contents.list_undoable_acts(then["goes back"])
    drop_changed_ranks = database_contents.drop_changed_ranks
    is_covered = database_contents.is_covered
    return [
        *(
            s
            for s, v in then["standings"].items()
            if not is_covered(standings.get(s), drop_changed_ranks(v))
        ),
        *(
            slug
            for slug, v in then["event files"].items()
            if not is_covered(files.get(slug), v)
        ),
        *(act for act in then["goes back"] if act not in undone_actions),
    ]


if __name__ == "__main__":
    sys.exit(main())
