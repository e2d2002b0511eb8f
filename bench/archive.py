"""Time and memory of exporting and importing a large club.

    python -m bench.archive --results 50000

It stages a club in a separate database (three minutes), exports it to an archive, imports that
into an empty database, and compares the two. It exits with 0 if export and import together stay
below the limits (60 seconds, 300 MB) and the data are equal.
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

MAX_SECONDS, MAX_MEGABYTES = 60, 300
STEPS = ("stage", "export", "import")


def main() -> int:
    """Run each step in a separate process, since its memory is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=50_000)
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        return _run_step(options.step, options.results)
    rows = {}
    with tempfile.TemporaryDirectory() as work_folder:
        for step in STEPS:
            row = rows[step] = _measure_step(step, options, Path(work_folder))
            print(f"{step:8} {row['seconds']:7.1f} s, {row['megabytes']:5.0f} MB", flush=True)
    seconds = rows["export"]["seconds"] + rows["import"]["seconds"]
    peak_megabytes = max(rows[step]["megabytes"] for step in ("export", "import"))
    are_digests_equal = rows["export"]["digest"] == rows["import"]["digest"]
    print(
        f"rows {rows['export']['rows']}, file {rows['export']['bytes']} bytes, "
        f"equal: {are_digests_equal}"
    )
    return (
        0
        if are_digests_equal and seconds <= MAX_SECONDS and peak_megabytes <= MAX_MEGABYTES
        else 1
    )


def _measure_step(
    step: str, options: argparse.Namespace, work_folder: Path
) -> dict[str, float]:
    environ = os.environ | {
        "DATA_DIR": str(work_folder / ("there" if step == "import" else "here")),
        "ARCHIVE": str(work_folder / "a.club"),
        "BACKUP_BY_ITSELF": "no",
        "SECRET_KEY": "only for this " * 5,
    }
    command = [sys.executable, "-m", "bench.archive", "--step", step]
    command += ["--results", str(options.results)]
    completed_process = subprocess.run(
        command, env=environ, check=True, capture_output=True, text=True
    )
    measurements: dict[str, float] = json.loads(completed_process.stdout.splitlines()[-1])
    return measurements


def _run_step(step: str, results: int) -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()
    from server.databases import prepare_database

    prepare_database()
    started_at = time.perf_counter()
    rows = {"stage": _stage_club, "export": _export_club, "import": _import_club}[step](results)
    measurements = {"seconds": time.perf_counter() - started_at}
    measurements["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(rows | measurements))
    return 0


def _stage_club(results: int) -> dict[str, object]:
    """Play events of 40 tables through the services until there are enough results."""
    import clubs.services
    from hall.rehearsal.staged_events import create_staged_session
    from scoring.models import Result

    club = clubs.services.create_club(name="Bench", owner=None, by=None)
    while (count := Result.objects.count()) < results:
        create_staged_session(
            club=club, table_count=40, played_round_count=7, random_seed=f"{count}", by=None
        )
    return {"results": count}


def _export_club(_results: int) -> dict[str, object]:
    from clubs.archives.exporter import export_club
    from clubs.models import Club
    from config.archives import ARCHIVE_SPEC

    path = Path(os.environ["ARCHIVE"])
    exported_archive = export_club(
        Club.objects.get(), path, ARCHIVE_SPEC, passphrase="for this bench"
    )
    size = path.stat().st_size
    return {
        "rows": exported_archive.rows_digest.row_count,
        "digest": exported_archive.rows_digest.sha256,
        "bytes": size,
    }


def _import_club(_results: int) -> dict[str, object]:
    from clubs.archives.importer import ImportOptions, import_club
    from clubs.archives.rows import compute_digest
    from config.archives import ARCHIVE_SPEC

    path = Path(os.environ["ARCHIVE"])
    import_result = import_club(path, ARCHIVE_SPEC, ImportOptions(passphrase="for this bench"))
    return {
        "digest": compute_digest(import_result.club, ARCHIVE_SPEC).sha256,
        "rows": import_result.row_count,
    }


if __name__ == "__main__":
    sys.exit(main())
