"""An advisory against a library always fails; an unreachable service fails a release."""

import json
import socket
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from deploy import audit

SAFE_PACKAGE = {"name": "whist", "version": "1.0", "vulns": []}
VULNERABLE_PACKAGE = {
    "name": "cards",
    "version": "2.0",
    "vulns": [
        {"id": "ADV-1", "fix_versions": ["2.1"], "aliases": [], "description": "a card falls"},
        {"id": "ADV-2", "fix_versions": [], "aliases": [], "description": "another does"},
    ],
}
SKIPPED_PACKAGE = {"name": "tables", "skip_reason": "not found"}


def build_print_command(*packages: dict[str, Any]) -> str:
    return f"print({json.dumps(json.dumps({'dependencies': packages, 'fixes': []}))})"


CASES = {
    "all is well": (
        build_print_command(SAFE_PACKAGE, SAFE_PACKAGE),
        "audited: no advisory is known",
    ),
    "one is known": (
        f"{build_print_command(SAFE_PACKAGE, VULNERABLE_PACKAGE)}; sys.exit(1)",
        "cards 2.0: ADV-1, mended in 2.1\ncards 2.0: ADV-2, not mended yet",
    ),
    "one is known and one nobody knew": (
        build_print_command(SKIPPED_PACKAGE, VULNERABLE_PACKAGE),
        "cards 2.0: ADV-1",
    ),
    "nobody knew one": (
        build_print_command(SAFE_PACKAGE, SKIPPED_PACKAGE),
        "1 of 2 were not known there: tables",
    ),
    "nobody knew any": (
        build_print_command(*[SKIPPED_PACKAGE] * 9),
        "tables, tables, tables, tables, tables ...",
    ),
    "nothing was asked": (build_print_command(), "not audited: no package was looked at"),
    "no line": ("sys.exit('ConnectionError: no name')", "audited: ConnectionError: no name"),
    "nonsense": ("print('<html>')", "not audited: pip-audit said nothing"),
    "another shape": ("print('[]')", "not audited: pip-audit said nothing"),
    "no end": ("time.sleep(60)", "not audited: the advisories were not answered in time"),
    "no program": (None, "cannot be started"),
    "not to be installed": ("", "not audited: pip-audit cannot be installed"),
}


@pytest.mark.parametrize(
    ("environ", "branch", "is_release"),
    [
        ({}, "main", False),
        ({"RELEASE": "0"}, "release-notes", False),
        ({"RELEASE": "1"}, "main", True),
        ({}, "release", True),
        ({}, "release/1.1", True),
    ],
)
def test_release_is_recognised_by_its_branch_or_the_environment(
    environ: dict[str, str], branch: str, is_release: bool
) -> None:
    assert audit.is_release(environ, branch) is is_release


@pytest.mark.parametrize("answer", CASES)
def test_advisory_always_fails_and_a_missing_audit_fails_a_release(
    answer: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    script, text = CASES[answer]
    program = tmp_path / "pip-audit"
    if script is not None:
        program.write_text(f"#!{sys.executable}\nimport sys, time\n{script}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PIP_AUDIT", str(program))
    monkeypatch.delenv("RELEASE", raising=False)
    if script == "":
        monkeypatch.delenv("PIP_AUDIT")
        monkeypatch.setattr(audit, "AUDIT_ENVIRONMENT", program / "a file is no folder")
        monkeypatch.setattr(audit, "_check_advisory_host_reachable", lambda: None)
    if answer == "no end":
        monkeypatch.setattr(audit, "TIMEOUT_SECONDS", 0.3)
    for branch in ("main", "release"):
        monkeypatch.setattr(audit, "read_branch", lambda branch=branch: branch)
        ends = audit.main()
        output = capsys.readouterr()
        assert text in output.out + output.err
        if answer == "all is well":
            assert ends == 0
        elif "not audited" in output.err:
            assert ends == (branch == "release")
            assert "no advisory" not in output.out
        else:
            assert ends == 1


def test_every_package_is_audited_in_its_exact_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "pip-audit"
    program.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        "print(json.dumps({'dependencies': [{'name': each} for each in sys.argv]}))\n"
    )
    program.chmod(0o700)
    names = [item["name"] for item in audit.run_pip_audit(str(program))]
    assert names[names.index("--requirement") + 1] == str(audit.REQUIREMENTS_FILE)
    assert "--require-hashes" in names
    assert audit.REQUIREMENTS_FILE.name == "requirements.txt"
    assert audit.REQUIREMENTS_FILE.parent.name == "tests", "the list that has everything"


@pytest.mark.parametrize("proxies", [{}, {"https": "http://proxy:3128"}])
def test_nothing_is_installed_if_the_service_is_unreachable(
    proxies: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Behind a proxy only pip-audit itself can detect an unreachable service."""
    installed_paths = []

    def raise_unreachable(*_where: object, **_how: object) -> None:
        raise OSError("no name")

    monkeypatch.setattr(audit, "AUDIT_ENVIRONMENT", tmp_path)
    monkeypatch.setattr(audit, "_install_pip_audit", installed_paths.append)
    monkeypatch.setattr(audit, "getproxies", lambda: proxies)
    monkeypatch.setattr(socket, "create_connection", raise_unreachable)
    if proxies:
        assert audit.find_pip_audit({}) == str(installed_paths[0].parent / "pip-audit")
        return
    with pytest.raises(audit.AuditImpossible, match=r"cannot be reached \(no name\)"):
        audit.find_pip_audit({})
    assert installed_paths == []


def test_release_suite_runs_the_audit() -> None:
    assert "deploy.audit" in (audit.ROOT / ".ci" / "run").read_text("utf-8")
