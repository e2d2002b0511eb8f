"""Whether an advisory is known against anything that is installed: `python -m deploy.audit`.

The list of the tests has everything, each with its exact version; `pip-audit` asks a public
list of advisories about each. What it finds always fails. Where the advisories cannot be
reached it says "not audited" and why, within seconds, and fails only where a release is made:
on a branch `release` or `release/...`, or with RELEASE=1. What is installed on other systems
alone (Windows has a library or two of its own) is not asked about.

`pip-audit` itself is locked in `deploy/audit.txt` and put into a place of its own at the first
run; PIP_AUDIT names another one.
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
PATIENCE = 120.0
"""Seconds for all questions; one that is not answered ends after three."""
QUICK = ("--timeout", "3")
NAMED = 5
"""So many packages are named at the most that nobody knew."""


class NotAudited(Exception):
    """Nobody could be asked; the text says why."""


def main() -> int:
    """Ask, say what was found, and answer how the program ends."""
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
    """Whether a release is made here."""
    is_said = environ.get("RELEASE", "") not in ("", "0")
    return is_said or branch == "release" or branch.startswith("release/")


def branch() -> str:
    """The branch that is checked out; empty outside of one."""
    command = ["git", "branch", "--show-current"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def tool(environ: Mapping[str, str]) -> str:
    """Where `pip-audit` is; it is installed where it is not.

    Raises NotAudited where it cannot be.
    """
    if given := environ.get("PIP_AUDIT"):
        return given
    folder = PLACE / ("Scripts" if os.name == "nt" else "bin")
    if not any(folder.glob("pip-audit*")):
        _look_for_advisories()
        _install(folder / "python")
    return str(folder / "pip-audit")


def _look_for_advisories() -> None:
    """Raise NotAudited where nobody would answer: nothing is installed in vain."""
    if getproxies():
        return  # somebody else looks
    try:
        socket.create_connection((ADVISORIES, 443), timeout=3).close()
    except OSError as error:
        raise NotAudited(f"{ADVISORIES} cannot be reached ({error})") from error


def _install(python: Path) -> None:
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--retries", "0", *QUICK, "--require-hashes", "-r", str(OWN)]
    try:
        venv.create(PLACE, with_pip=True)
        subprocess.run(pip, capture_output=True, timeout=PATIENCE, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotAudited("pip-audit cannot be installed") from error


def asked(program: str) -> list[dict[str, Any]]:
    """What `pip-audit` says of each package.

    Raises NotAudited where it says nothing that can be read.
    """
    command = [program, "--requirement", str(ASKED), "--require-hashes", "--disable-pip"]
    command += ["--vulnerability-service", "osv", "--format", "json", *QUICK]
    command += ["--progress-spinner", "off"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
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
    """A line for each advisory that stands against a package.

    Raises NotAudited where there is none and a package was passed over: that none was found
    says nothing then.
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
