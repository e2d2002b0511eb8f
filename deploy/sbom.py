"""Generate the bill of materials of a release (CycloneDX 1.6), and the list of licences.

    python -m deploy.sbom > overplay.cdx.json
    python -m deploy.sbom --licences > docs/licences.md

Both list the packages of `requirements-server.txt`. Licences are read from the metadata of the
installed packages.
"""

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PIN_PATTERN = re.compile(r"^([A-Za-z0-9_.-]+)(?:\[[^]]*\])?==([^\s;\\]+)")
HASH_PATTERN = re.compile(r"--hash=sha256:([0-9a-f]{64})")
KNOWN_LICENCES = {
    "async-timeout": "Apache-2.0",
    "colorama": "BSD-3-Clause",
    "win32-setctime": "MIT",
    "tzdata": "Apache-2.0",
    "pywin32": "PSF-2.0",
}
"""Licences of packages that are only installed on other systems, from their home pages."""

DDS_COMPONENT = {
    "bom-ref": "pkg:github/dds-bridge/dds@2.9.0",
    "name": "DDS",
    "version": "2.9.0",
}
"""The C library in boards/dds, which is not a package."""
DDS_LICENCE = "Apache-2.0"


@dataclass(slots=True)
class Package:
    """A locked package, the checksums of its files, and the packages that require it."""

    name: str
    version: str
    checksums: list[str] = field(default_factory=list)
    required_by: list[str] = field(default_factory=list)


def read_lock_file(path: Path) -> list[Package]:
    """Return the packages of a lock file."""
    packages: list[Package] = []
    for line in path.read_text("utf-8").splitlines():
        if pin_match := PIN_PATTERN.match(line):
            packages.append(Package(re.sub(r"[-_.]+", "-", pin_match[1]).lower(), pin_match[2]))
        elif packages and (checksum_match := HASH_PATTERN.search(line)):
            packages[-1].checksums.append(checksum_match[1])
        elif packages and line.strip().startswith("#"):
            requirer = line.strip().lstrip("# ").removeprefix("via").strip()
            packages[-1].required_by += [requirer] if requirer else []
    return packages


def build_bill_of_materials(version: str, packages: Iterable[Package]) -> str:
    """Return the bill of materials of a version as JSON."""
    packages = list(packages)
    dependencies_by_package: dict[str, list[str]] = {"overplay": []}
    for package in packages:
        dependencies_by_package.setdefault(_build_purl(package), [])
    purl_by_name = {package.name: _build_purl(package) for package in packages}
    for package in packages:
        for requirer in package.required_by:
            dependencies_by_package[purl_by_name.get(requirer, "overplay")].append(
                _build_purl(package)
            )
    dependencies_by_package["overplay"].append(DDS_COMPONENT["bom-ref"])
    return json.dumps(
        {
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "version": 1,
            "metadata": {
                "component": {
                    "type": "application",
                    "bom-ref": "overplay",
                    "name": "overplay",
                    "version": version,
                    "licenses": [{"license": {"id": "MIT"}}],
                }
            },
            "components": [
                *(_build_component(package) for package in packages),
                _build_dds_component(),
            ],
            "dependencies": [
                {"ref": reference, "dependsOn": sorted(set(dependencies))}
                for reference, dependencies in sorted(dependencies_by_package.items())
            ],
        },
        indent=1,
    )


def _build_purl(package: Package) -> str:
    return f"pkg:pypi/{package.name}@{package.version}"


def _build_component(package: Package) -> dict[str, object]:
    component: dict[str, object] = {
        "type": "library",
        "bom-ref": _build_purl(package),
        "name": package.name,
        "version": package.version,
        "purl": _build_purl(package),
        "hashes": [{"alg": "SHA-256", "content": checksum} for checksum in package.checksums],
    }
    if (licence := find_licence(package.name)) != "unknown":
        component["licenses"] = [{"license": {"name": licence}}]
    return component


def _build_dds_component() -> dict[str, object]:
    """Return the solver as a component, with the file and checksum of each library."""
    checksum_lines = (ROOT / "boards" / "dds" / "SHA256SUMS").read_text("ascii").splitlines()
    checksum_rows = [line.split("  ") for line in checksum_lines]
    return {
        "type": "library",
        **DDS_COMPONENT,
        "purl": DDS_COMPONENT["bom-ref"],
        "licenses": [{"license": {"name": DDS_LICENCE}}],
        "components": [
            {"type": "file", "name": name, "hashes": [{"alg": "SHA-256", "content": checksum}]}
            for checksum, name in checksum_rows
        ],
    }


def find_licence(package_name: str) -> str:
    """Return the licence in a package's metadata, or "unknown"."""
    try:
        package_metadata: Any = metadata.metadata(package_name)
    except metadata.PackageNotFoundError:
        return KNOWN_LICENCES.get(package_name, "unknown")
    if licence_expression := package_metadata.get("License-Expression"):
        return str(licence_expression)
    classified_licences = [
        classifier.rpartition(" :: ")[2]
        for classifier in package_metadata.get_all("Classifier") or []
        if classifier.startswith("License :: ") and classifier != "License :: OSI Approved"
    ]
    licence_lines = str(package_metadata.get("License") or "").strip().splitlines()
    return ", ".join(classified_licences) or (
        licence_lines[0][:60] if licence_lines else KNOWN_LICENCES.get(package_name, "unknown")
    )


def build_licences_page(packages: Iterable[Package]) -> str:
    """Return the page of licences as Markdown."""
    dds_version = DDS_COMPONENT["version"]
    lines = [
        "# Licences",
        "",
        "A server needs Python and these packages. A laptop needs only some of them. "
        "The table shows the licence that each package declares.",
        "",
        "Overplay also contains the solver DDS, which is not a Python package. "
        f"DDS {dds_version} has the licence {DDS_LICENCE}. "
        "The folder `boards/dds` contains the compiled library and its licences.",
        "",
        "To update this page, run `python -m deploy.sbom --licences > docs/licences.md`.",
        "",
        "| package | version | licence |",
        "|---|---|---|",
    ]
    lines += [
        f"| {package.name} | {package.version} | {find_licence(package.name)} |"
        for package in packages
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    from server.version import VERSION

    locked_packages = read_lock_file(ROOT / "requirements-server.txt")
    if "--licences" in sys.argv:
        sys.stdout.write(build_licences_page(locked_packages) + "\n")
    else:
        sys.stdout.write(build_bill_of_materials(VERSION, locked_packages) + "\n")
