"""A large club carried out and in: how long it takes, and how much memory.

    python -m bench.archive --results 50000

It stages a club in a database of its own, writes it into an archive, brings that into an empty
database, and compares what the two hold. Ends with 0 where both ways together stay below the
bars (60 seconds, 300 MB) and the two are equal.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

SECONDS, MEGABYTES = 60, 300
STEPS = ("stage", "export", "import")


def main() -> int:
    """Run each step as a program of its own, for its memory is what is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=50_000)
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        return _step(options.step, options.results)
    rows = {}
    with tempfile.TemporaryDirectory() as work:
        for step in STEPS:
            row = rows[step] = _measure(step, options, Path(work))
            print(f"{step:8} {row['seconds']:7.1f} s, {row['megabytes']:5.0f} MB", flush=True)
    seconds = rows["export"]["seconds"] + rows["import"]["seconds"]
    memory = max(rows[step]["megabytes"] for step in ("export", "import"))
    equal = rows["export"]["digest"] == rows["import"]["digest"]
    print(
        f"rows {rows['export']['rows']}, file {rows['export']['bytes']} bytes, equal: {equal}"
    )
    return 0 if equal and seconds <= SECONDS and memory <= MEGABYTES else 1


def _measure(step: str, options: argparse.Namespace, work: Path) -> dict[str, float]:
    environ = os.environ | {
        "DATA_DIR": str(work / ("there" if step == "import" else "here")),
        "ARCHIVE": str(work / "a.club"),
        "BACKUP_BY_ITSELF": "no",
        "SECRET_KEY": "only for this " * 5,
    }
    command = [sys.executable, "-m", "bench.archive", "--step", step]
    command += ["--results", str(options.results)]
    done = subprocess.run(command, env=environ, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _step(step: str, results: int) -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()
    from server.databases import prepare_database

    prepare_database()
    began = time.perf_counter()
    rows = {"stage": _stage, "export": _export, "import": _import}[step](results)
    figures = {"seconds": time.perf_counter() - began}
    figures["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(rows | figures))
    return 0


def _stage(results: int) -> dict[str, object]:
    """Play one evening through the services, and multiply its rows until there are enough."""
    from django.core.management import call_command

    from scoring.models import Result

    call_command("stage", "--tables", "40", "--played", "12", verbosity=0)
    _multiply(results)
    return {"results": Result.objects.count()}


def _multiply(results: int) -> None:
    """Copy the event with everything below it, by the archive's own tables."""

    from django.db import transaction

    from clubs.archives.keys import reserved
    from clubs.archives.known import tables
    from clubs.models import Club
    from config.archives import KNOWN
    from scoring.models import Result

    club = Club.objects.get()
    once = Result.objects.count()
    carried = [
        t for t in tables(KNOWN) if not t.label.startswith(("clubs.Club", "clubs.Member"))
    ]
    carried = [t for t in carried if t.label not in ("clubs.Player", "clubs.Logo", "clubs.Act")]
    rows = {t.label: list(t.rows(club, KNOWN).values()) for t in carried}
    with transaction.atomic():
        for copy in range(1, results // once + 1):
            keys = {
                table.label: dict(
                    zip(
                        (row["id"] for row in rows[table.label]),
                        reserved(table.model, len(rows[table.label])),
                        strict=True,
                    )
                )
                for table in carried
            }
            for table in carried:
                made = [_copied(table, row, keys, copy) for row in rows[table.label]]
                table.model._base_manager.bulk_create(made, batch_size=500)


def _copied(table: Any, row: dict[str, Any], keys: dict[str, dict[int, int]], copy: int) -> Any:
    """Make a row like another, of the same copy as all that it leads to."""
    from clubs.archives.known import pointed_to

    new = dict(row)
    for field in table.fields:
        to, value = pointed_to(field), row[field.attname]
        if field.primary_key:
            new[field.attname] = keys[table.label][value]
        elif to is not None:
            new[field.attname] = keys.get(to._meta.label, {}).get(value, value)
        elif field.name == "uid":
            new[field.attname] = uuid4()
        elif field.unique and value is not None:
            new[field.attname] = f"{value}-{copy}"[-60:]
        elif field.name == "form_key":
            new[field.attname] = None
    return table.model(**new)


def _export(_results: int) -> dict[str, object]:
    from clubs.archives.leaving import export
    from clubs.models import Club
    from config.archives import KNOWN

    path = Path(os.environ["ARCHIVE"])
    left = export(Club.objects.get(), path, KNOWN, passphrase="for this bench")
    size = path.stat().st_size
    return {"rows": left.digest.rows, "digest": left.digest.sha256, "bytes": size}


def _import(_results: int) -> dict[str, object]:
    from clubs.archives.arriving import Wish, bring_in
    from clubs.archives.rows import digest
    from config.archives import KNOWN

    path = Path(os.environ["ARCHIVE"])
    arrived = bring_in(path, KNOWN, Wish(passphrase="for this bench"))
    return {"digest": digest(arrived.club, KNOWN).sha256, "rows": arrived.rows}


if __name__ == "__main__":
    sys.exit(main())
