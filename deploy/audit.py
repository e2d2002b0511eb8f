"""Check the installed packages for known vulnerabilities: `python -m deploy.audit`.

The requirements of the tests list all packages with exact versions. `pip-audit` searches a
public database of advisories for each, and the check fails if it finds one. If the database is
unreachable, "not audited" is printed with the reason. That fails only for a release: on a
branch `release` or `release/...`, or with RELEASE=1. Packages that are only installed on other
systems are not checked.

`pip-audit` itself is locked in `deploy/audit.txt` and installed in a separate environment on
the first run; PIP_AUDIT can name another one.
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
REQUIREMENTS_FILE = ROOT / "tests" / "requirements.txt"
AUDIT_LOCK_FILE = ROOT / "deploy" / "audit.txt"
AUDIT_ENVIRONMENT = ROOT / ".venv" / "audit"
ADVISORY_HOST = "api.osv.dev"
TIMEOUT_SECONDS = 120.0
"""The timeout of all requests together; a single request times out after three seconds."""
TIMEOUT_OPTIONS = ("--timeout", "3")
MAX_NAMED_PACKAGES = 5
"""The maximum number of unknown packages named in the message."""


class NotAudited(Exception):
    """The audit was not possible; the message has the reason."""


def main() -> int:
    """Run the audit, print the advisories, and return the exit status."""
    try:
        advisories = list_advisories(run_pip_audit(find_pip_audit(os.environ)))
    except NotAudited as error:
        sys.stderr.write(f"not audited: {error}\n")
        return 1 if is_release(os.environ, read_branch()) else 0
    sys.stderr.writelines(f"{line}\n" for line in advisories)
    if not advisories:
        sys.stdout.write("audited: no advisory is known\n")
    return 1 if advisories else 0


def is_release(environ: Mapping[str, str], branch: str) -> bool:
    """Return whether this is a release build, for which an incomplete audit is a failure."""
    is_said = environ.get("RELEASE", "") not in ("", "0")
    return is_said or branch == "release" or branch.startswith("release/")


def read_branch() -> str:
    """Return the current branch, or "" if there is none."""
    command = ["git", "branch", "--show-current"]
    try:
        completed = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return completed.stdout.strip()


def find_pip_audit(environ: Mapping[str, str]) -> str:
    """Return the path of `pip-audit`, and install it if it is missing.

    Raises NotAudited if it cannot be installed.
    """
    if configured_path := environ.get("PIP_AUDIT"):
        return configured_path
    folder = AUDIT_ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
    if not any(folder.glob("pip-audit*")):
        _check_database_reachable()
        _install(folder / "python")
    return str(folder / "pip-audit")


def _check_database_reachable() -> None:
    """Raise NotAudited if the database of advisories is unreachable."""
    if getproxies():
        return  # a proxy reported that the host is unreachable
    try:
        socket.create_connection((ADVISORY_HOST, 443), timeout=3).close()
    except OSError as error:
        raise NotAudited(f"{ADVISORY_HOST} cannot be reached ({error})") from error


def _install(python: Path) -> None:
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--retries", "0", *TIMEOUT_OPTIONS, "--require-hashes", "-r", str(AUDIT_LOCK_FILE)]
    try:
        venv.create(AUDIT_ENVIRONMENT, with_pip=True)
        subprocess.run(pip, capture_output=True, timeout=TIMEOUT_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotAudited("pip-audit cannot be installed") from error


def run_pip_audit(program: str) -> list[dict[str, Any]]:
    """Return the report of `pip-audit` about each package, or raise NotAudited."""
    command = [
        program,
        "--requirement",
        str(REQUIREMENTS_FILE),
        "--require-hashes",
        "--disable-pip",
    ]
    command += ["--vulnerability-service", "osv", "--format", "json", *TIMEOUT_OPTIONS]
    command += ["--progress-spinner", "off"]
    try:
        completed = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
        )
        return list(json.loads(completed.stdout)["dependencies"])
    except subprocess.TimeoutExpired as error:
        raise NotAudited("the advisories were not answered in time") from error
    except OSError as error:
        raise NotAudited(f"{program} cannot be started") from error
    except (ValueError, KeyError, TypeError) as error:
        lines = completed.stderr.strip().splitlines() or ["pip-audit said nothing"]
        raise NotAudited(lines[-1][:200]) from error


def list_advisories(packages: list[dict[str, Any]]) -> list[str]:
    """Return a line for each advisory about a package.

    Raises NotAudited if there is no advisory but a package was skipped: the result is
    incomplete.
    """
    advisories = [
        f"{package['name']} {package['version']}: {advisory['id']}, {_format_fix(advisory)}"
        for package in packages
        for advisory in package.get("vulns", [])
    ]
    left_out = [str(package["name"]) for package in packages if "skip_reason" in package]
    if not packages:
        raise NotAudited("no package was looked at")
    if left_out and not advisories:
        values = ", ".join(left_out[:MAX_NAMED_PACKAGES]) + (
            " ..." if len(left_out) > MAX_NAMED_PACKAGES else ""
        )
        raise NotAudited(f"{len(left_out)} of {len(packages)} were not known there: {values}")
    return advisories


def _format_fix(advisory: Mapping[str, Any]) -> str:
    versions = ", ".join(advisory.get("fix_versions", []))
    return f"mended in {versions}" if versions else "not mended yet"


if __name__ == "__main__":
    sys.exit(main())
