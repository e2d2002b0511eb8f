"""The components of a release: a bill of materials (CycloneDX 1.6), and a list of licences.

    python -m deploy.sbom > overplay.cdx.json
    python -m deploy.sbom --licences > docs/licences.md

Both are read from `requirements-server.txt`, which has every package with the checksums of its
files. Licences come from the metadata of the installed packages.
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
PIN = re.compile(r"^([A-Za-z0-9_.-]+)(?:\[[^]]*\])?==([^\s;\\]+)")
SUM = re.compile(r"--hash=sha256:([0-9a-f]{64})")
TOLD = {
    "async-timeout": "Apache-2.0",
    "colorama": "BSD-3-Clause",
    "win32-setctime": "MIT",
    "tzdata": "Apache-2.0",
    "pywin32": "PSF-2.0",
}
"""Licences of packages that only other systems install, from their own pages."""

DDS = {
    "bom-ref": "pkg:github/dds-bridge/dds@2.9.0",
    "name": "DDS",
    "version": "2.9.0",
}
"""The C library in boards/dds, which no package installs."""
DDS_LICENCE = "Apache-2.0"


@dataclass(slots=True)
class Package:
    """One installed package, the checksums of its files, and the packages that require it."""

    name: str
    version: str
    sums: list[str] = field(default_factory=list)
    via: list[str] = field(default_factory=list)


def read(path: Path) -> list[Package]:
    """Read a lock file."""
    found: list[Package] = []
    for line in path.read_text("utf-8").splitlines():
        if pin := PIN.match(line):
            found.append(Package(re.sub(r"[-_.]+", "-", pin[1]).lower(), pin[2]))
        elif found and (summed := SUM.search(line)):
            found[-1].sums.append(summed[1])
        elif found and line.strip().startswith("#"):
            by = line.strip().lstrip("# ").removeprefix("via").strip()
            found[-1].via += [by] if by else []
    return found


def bill(version: str, packages: Iterable[Package]) -> str:
    """Return the bill of materials of a version, as JSON."""
    packages = list(packages)
    needs: dict[str, list[str]] = {"overplay": []}
    for each in packages:
        needs.setdefault(_purl(each), [])
    by_name = {each.name: _purl(each) for each in packages}
    for each in packages:
        for by in each.via:
            needs[by_name.get(by, "overplay")].append(_purl(each))
    needs["overplay"].append(DDS["bom-ref"])
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
            "components": [*(_component(each) for each in packages), _dds()],
            "dependencies": [
                {"ref": ref, "dependsOn": sorted(set(on))} for ref, on in sorted(needs.items())
            ],
        },
        indent=1,
    )


def _purl(each: Package) -> str:
    return f"pkg:pypi/{each.name}@{each.version}"


def _component(each: Package) -> dict[str, object]:
    told: dict[str, object] = {
        "type": "library",
        "bom-ref": _purl(each),
        "name": each.name,
        "version": each.version,
        "purl": _purl(each),
        "hashes": [{"alg": "SHA-256", "content": summed} for summed in each.sums],
    }
    if (licence := licence_of(each.name)) != "unknown":
        told["licenses"] = [{"license": {"name": licence}}]
    return told


def _dds() -> dict[str, object]:
    """Describe the solver's libraries; each file is a component with its checksum."""
    lines = (ROOT / "boards" / "dds" / "SHA256SUMS").read_text("ascii").splitlines()
    files = [line.split("  ") for line in lines]
    return {
        "type": "library",
        **DDS,
        "purl": DDS["bom-ref"],
        "licenses": [{"license": {"name": DDS_LICENCE}}],
        "components": [
            {"type": "file", "name": name, "hashes": [{"alg": "SHA-256", "content": checksum}]}
            for checksum, name in files
        ],
    }


def licence_of(name: str) -> str:
    """Return the licence that a package states; "unknown" if it states none."""
    try:
        about: Any = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return TOLD.get(name, "unknown")
    if stated := about.get("License-Expression"):
        return str(stated)
    classed = [
        each.rpartition(" :: ")[2]
        for each in about.get_all("Classifier") or []
        if each.startswith("License :: ") and each != "License :: OSI Approved"
    ]
    short = str(about.get("License") or "").strip().splitlines()
    return ", ".join(classed) or (short[0][:60] if short else TOLD.get(name, "unknown"))


def licences(packages: Iterable[Package]) -> str:
    """Return the page of licences, as Markdown."""
    lines = [
        "# Licences",
        "",
        "What a server installs besides Python, with the licence that each package names",
        "itself; a laptop has a part of it. Written by `python -m deploy.sbom --licences`;",
        "the bill of materials of a release (CycloneDX 1.6) by `python -m deploy.sbom`.",
        "",
        "The solver DDS is not a package: Overplay contains its library and its licence in",
        f"`boards/dds`. DDS {DDS['version']} is under {DDS_LICENCE}, its build under MIT.",
        "",
        "| package | version | licence |",
        "|---|---|---|",
    ]
    lines += [
        f"| {each.name} | {each.version} | {licence_of(each.name)} |" for each in packages
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    from server.version import VERSION

    there = read(ROOT / "requirements-server.txt")
    if "--licences" in sys.argv:
        sys.stdout.write(licences(there) + "\n")
    else:
        sys.stdout.write(bill(VERSION, there) + "\n")
