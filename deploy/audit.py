"""Check the locked packages for known vulnerabilities: `python -m deploy.audit`.

`pip-audit` looks up each package of `tests/requirements.txt` in a public database. A known
vulnerability fails the check; an unreachable database fails it only for a release. `pip-audit`
is installed in a separate environment on the first run, unless PIP_AUDIT is the path of
another.
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


class AuditImpossible(Exception):
    """The audit was not possible. The message states the reason."""


def main() -> int:
    """Run the audit, print the advisories, and return the exit status."""
    try:
        advisories = list_advisories(run_pip_audit(find_pip_audit(os.environ)))
    except AuditImpossible as error:
        sys.stderr.write(f"not audited: {error}\n")
        return 1 if is_release(os.environ, read_branch()) else 0
    sys.stderr.writelines(f"{advisory}\n" for advisory in advisories)
    if not advisories:
        sys.stdout.write("audited: no advisory is known\n")
    return 1 if advisories else 0


def is_release(environ: Mapping[str, str], branch: str) -> bool:
    """Return whether this is a release build: on a release branch, or with RELEASE=1.

    An incomplete audit is a failure of a release build only.
    """
    is_requested = environ.get("RELEASE", "") not in ("", "0")
    return is_requested or branch == "release" or branch.startswith("release/")


def read_branch() -> str:
    """Return the current branch, or "" if there is none."""
    command = ["git", "branch", "--show-current"]
    try:
        process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return process.stdout.strip()


def find_pip_audit(environ: Mapping[str, str]) -> str:
    """Return the path of `pip-audit`, and install it if it is missing.

    Raises AuditImpossible if it cannot be installed.
    """
    if configured_path := environ.get("PIP_AUDIT"):
        return configured_path
    scripts_folder = AUDIT_ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
    if not any(scripts_folder.glob("pip-audit*")):
        _check_advisory_host_reachable()
        _install_pip_audit(scripts_folder / "python")
    return str(scripts_folder / "pip-audit")


def _check_advisory_host_reachable() -> None:
    """Raise AuditImpossible if the database of advisories is unreachable."""
    if getproxies():
        return  # behind a proxy, only the proxy can tell whether the host is reachable
    try:
        socket.create_connection((ADVISORY_HOST, 443), timeout=3).close()
    except OSError as error:
        raise AuditImpossible(f"{ADVISORY_HOST} cannot be reached ({error})") from error


def _install_pip_audit(python_path: Path) -> None:
    pip_command = [
        str(python_path),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]
    pip_command += [
        "--retries",
        "0",
        *TIMEOUT_OPTIONS,
        "--require-hashes",
        "-r",
        str(AUDIT_LOCK_FILE),
    ]
    try:
        venv.create(AUDIT_ENVIRONMENT, with_pip=True)
        subprocess.run(pip_command, capture_output=True, timeout=TIMEOUT_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise AuditImpossible("pip-audit cannot be installed") from error


def run_pip_audit(program_path: str) -> list[dict[str, Any]]:
    """Return the report of `pip-audit` about each package, or raise AuditImpossible."""
    command = [
        program_path,
        "--requirement",
        str(REQUIREMENTS_FILE),
        "--require-hashes",
        "--disable-pip",
    ]
    command += ["--vulnerability-service", "osv", "--format", "json", *TIMEOUT_OPTIONS]
    command += ["--progress-spinner", "off"]
    try:
        process = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
        )
        return list(json.loads(process.stdout)["dependencies"])
    except subprocess.TimeoutExpired as error:
        raise AuditImpossible("the advisories were not answered in time") from error
    except OSError as error:
        raise AuditImpossible(f"{program_path} cannot be started") from error
    except (ValueError, KeyError, TypeError) as error:
        error_lines = process.stderr.strip().splitlines() or ["pip-audit said nothing"]
        raise AuditImpossible(error_lines[-1][:200]) from error


def list_advisories(packages: list[dict[str, Any]]) -> list[str]:
    """Return a line for each advisory about a package.

    Raises AuditImpossible if there is no advisory but a package was skipped: the result is
    incomplete.
    """
    advisories = [
        f"{package['name']} {package['version']}: {advisory['id']}, "
        f"{_format_fix_versions(advisory)}"
        for package in packages
        for advisory in package.get("vulns", [])
    ]
    skipped_names = [str(package["name"]) for package in packages if "skip_reason" in package]
    if not packages:
        raise AuditImpossible("no package was looked at")
    if skipped_names and not advisories:
        names_text = ", ".join(skipped_names[:MAX_NAMED_PACKAGES]) + (
            " ..." if len(skipped_names) > MAX_NAMED_PACKAGES else ""
        )
        raise AuditImpossible(
            f"{len(skipped_names)} of {len(packages)} were not known there: {names_text}"
        )
    return advisories


def _format_fix_versions(advisory: Mapping[str, Any]) -> str:
    versions = ", ".join(advisory.get("fix_versions", []))
    return f"mended in {versions}" if versions else "not mended yet"


if __name__ == "__main__":
    sys.exit(main())
