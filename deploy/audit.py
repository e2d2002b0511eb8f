"""Check the installed packages for known advisories: `python -m deploy.audit`.

The requirements of the tests have all packages with exact versions; `pip-audit` looks up each
in a public database of advisories. A known advisory always fails the check. If the database
cannot be reached, it prints "not audited" with the reason, within seconds. That fails only for
a release: on a branch `release` or `release/...`, or with RELEASE=1. Packages for other systems
only (Windows has one or two) are not checked.

`pip-audit` itself is locked in `deploy/audit.txt` and installed in a separate environment on
the first run; PIP_AUDIT names another one.
"""

import json
import os
import socket
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.request import getproxies

ROOT = Path(__file__).resolve().parent.parent
ASKED = ROOT / "tests" / "requirements.txt"
OWN = ROOT / "deploy" / "audit.txt"
PLACE = ROOT / ".venv" / "audit"
ADVISORIES = "api.osv.dev"
TIMEOUT_SECONDS = 120.0
"""Seconds for all requests; a single request times out after three."""
QUICK = ("--timeout", "3")
NAMED = 5
"""Maximum unknown packages named in the message."""


class NotAudited(Exception):
    """The audit was not possible; the text has the reason."""


def main() -> int:
    """Audit, print the advisories, and return the exit status."""
    try:
        found = advisories(asked(tool(os.environ)))
    except NotAudited as error:
        sys.stderr.write(f"not audited: {error}\n")
        return 1 if is_release(os.environ, branch()) else 0
    sys.stderr.writelines(f"{line}\n" for line in found)
    if not found:
        sys.stdout.write("audited: no advisory is known\n")
    return 1 if found else 0


def is_release(environ: Mapping[str, str], branch: str) -> bool:
    """Return whether this is a release build."""
    is_said = environ.get("RELEASE", "") not in ("", "0")
    return is_said or branch == "release" or branch.startswith("release/")


def branch() -> str:
    """Return the current branch; empty if there is none."""
    command = ["git", "branch", "--show-current"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def tool(environ: Mapping[str, str]) -> str:
    """Return the path of `pip-audit`, installing it if missing.

    Raises NotAudited if it cannot be installed.
    """
    if given := environ.get("PIP_AUDIT"):
        return given
    folder = PLACE / ("Scripts" if os.name == "nt" else "bin")
    if not any(folder.glob("pip-audit*")):
        _look_for_advisories()
        _install(folder / "python")
    return str(folder / "pip-audit")


def _look_for_advisories() -> None:
    """Raise NotAudited if the database is unreachable, before anything is installed."""
    if getproxies():
        return  # the proxy reports an unreachable host
    try:
        socket.create_connection((ADVISORIES, 443), timeout=3).close()
    except OSError as error:
        raise NotAudited(f"{ADVISORIES} cannot be reached ({error})") from error


def _install(python: Path) -> None:
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--retries", "0", *QUICK, "--require-hashes", "-r", str(OWN)]
    try:
        venv.create(PLACE, with_pip=True)
        subprocess.run(pip, capture_output=True, timeout=TIMEOUT_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotAudited("pip-audit cannot be installed") from error


def asked(program: str) -> list[dict[str, Any]]:
    """Return the report of `pip-audit` on each package.

    Raises NotAudited if there is no readable report.
    """
    command = [program, "--requirement", str(ASKED), "--require-hashes", "--disable-pip"]
    command += ["--vulnerability-service", "osv", "--format", "json", *QUICK]
    command += ["--progress-spinner", "off"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
        )
        return list(json.loads(done.stdout)["dependencies"])
    except subprocess.TimeoutExpired as error:
        raise NotAudited("the advisories were not answered in time") from error
    except OSError as error:
        raise NotAudited(f"{program} cannot be started") from error
    except (ValueError, KeyError, TypeError) as error:
        lines = done.stderr.strip().splitlines() or ["pip-audit said nothing"]
        raise NotAudited(lines[-1][:200]) from error


def advisories(packages: list[dict[str, Any]]) -> list[str]:
    """Return a line for each advisory about a package.

    Raises NotAudited if there is none but a package was skipped, because the result is
    incomplete.
    """
    found = [
        f"{each['name']} {each['version']}: {known['id']}, {_cure(known)}"
        for each in packages
        for known in each.get("vulns", [])
    ]
    left_out = [str(each["name"]) for each in packages if "skip_reason" in each]
    if not packages:
        raise NotAudited("no package was looked at")
    if left_out and not found:
        named = ", ".join(left_out[:NAMED]) + (" ..." if len(left_out) > NAMED else "")
        raise NotAudited(f"{len(left_out)} of {len(packages)} were not known there: {named}")
    return found


def _cure(known: Mapping[str, Any]) -> str:
    versions = ", ".join(known.get("fix_versions", []))
    return f"mended in {versions}" if versions else "not mended yet"


if __name__ == "__main__":
    sys.exit(main())
