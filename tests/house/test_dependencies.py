"""The installed packages are the chosen ones: every file has a hash, for every system."""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from deploy import sbom

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LAPTOP_REQUIREMENTS = PYPROJECT["project"]["dependencies"]
SERVER_REQUIREMENTS = PYPROJECT["project"]["optional-dependencies"]["server"]
DEPENDENCY_GROUPS = PYPROJECT["dependency-groups"]
REQUIREMENTS_BY_LOCK = {
    "requirements.txt": [LAPTOP_REQUIREMENTS],
    "requirements-server.txt": [LAPTOP_REQUIREMENTS, SERVER_REQUIREMENTS],
    "tests/requirements.txt": [
        LAPTOP_REQUIREMENTS,
        SERVER_REQUIREMENTS,
        DEPENDENCY_GROUPS["test"],
    ],
    "deploy/audit.txt": [DEPENDENCY_GROUPS["audit"]],
    "deploy/uv.txt": [DEPENDENCY_GROUPS["uv"]],
    "deploy/frozen/requirements.txt": [LAPTOP_REQUIREMENTS, DEPENDENCY_GROUPS["frozen"]],
}
PINNED_REQUIREMENT = re.compile(r"^([A-Za-z0-9_.-]+)(\[[^]]*\])?==([^\s;#]+)", re.MULTILINE)
LOCK_HINT = "Run `make lock`."


def normalise_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def read_pinned_versions(requirement_lists: list[list[str]]) -> Mapping[str, str]:
    requirements_text = "\n".join(
        line for requirements in requirement_lists for line in requirements
    )
    return {
        normalise_name(name): version
        for name, _extra, version in PINNED_REQUIREMENT.findall(requirements_text)
    }


@pytest.mark.parametrize("lock_file", REQUIREMENTS_BY_LOCK)
def test_installed_packages_match_the_lock_file(lock_file: str) -> None:
    locked_packages = {
        package.name: package for package in sbom.read_lock_file(ROOT / lock_file)
    }
    pinned_versions = read_pinned_versions(REQUIREMENTS_BY_LOCK[lock_file])
    assert pinned_versions
    assert {
        name: locked_packages[name].version
        for name in pinned_versions
        if name in locked_packages
    } == pinned_versions, LOCK_HINT
    direct_requirements = {
        name
        for name, item in locked_packages.items()
        if any("pyproject.toml" in by for by in item.required_by)
    }
    assert direct_requirements == set(pinned_versions), LOCK_HINT


@pytest.mark.parametrize("lock", REQUIREMENTS_BY_LOCK)
def test_every_locked_file_has_checksum_and_a_requirement(lock: str) -> None:
    for package in sbom.read_lock_file(ROOT / lock):
        assert package.checksums, package.name
        assert package.required_by, package.name
    text = (ROOT / lock).read_text("utf-8")
    assert "://" not in text, "which registry files come from is the machine's own affair"


def test_laptop_server_and_tests_have_same_versions() -> None:
    whole = {
        (package.name, package.version)
        for package in sbom.read_lock_file(ROOT / "tests/requirements.txt")
    }
    for lock in ("requirements.txt", "requirements-server.txt"):
        assert {
            (package.name, package.version) for package in sbom.read_lock_file(ROOT / lock)
        } <= whole


def test_bill_of_materials_lists_every_package_with_checksums() -> None:
    bill_of_materials = json.loads(
        sbom.build_bill_of_materials(
            "9.9", sbom.read_lock_file(ROOT / "requirements-server.txt")
        )
    )
    assert (bill_of_materials["bomFormat"], bill_of_materials["specVersion"]) == (
        "CycloneDX",
        "1.6",
    )
    components_by_name = {
        component["name"]: component for component in bill_of_materials["components"]
    }
    assert (
        components_by_name["django"]["purl"]
        == f"pkg:pypi/django@{components_by_name['django']['version']}"
    )
    assert {item["alg"] for item in components_by_name["django"]["hashes"]} == {"SHA-256"}
    assert len(components_by_name["DDS"]["components"]) == 5
    packages = sbom.read_lock_file(ROOT / "requirements-server.txt")
    assert len(bill_of_materials["components"]) == len(packages) + 1  # and DDS
    references = {component["bom-ref"] for component in bill_of_materials["components"]} | {
        "overplay"
    }
    assert all(
        {dependency["ref"], *dependency["dependsOn"]} <= references
        for dependency in bill_of_materials["dependencies"]
    )


def test_licence_list_names_every_package() -> None:
    page = (ROOT / "docs" / "licences.md").read_text("utf-8")
    listed_packages = set(re.findall(r"^\| ([a-z0-9-]+) \|", page, re.MULTILINE))
    names = {package.name for package in sbom.read_lock_file(ROOT / "requirements-server.txt")}
    assert listed_packages - {"package"} == names, (
        "Run `python -m deploy.sbom --licences > docs/licences.md`."
    )
    assert "unknown" not in page
