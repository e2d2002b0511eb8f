"""The API's contract: a change makes this test fail and needs a line in the changelog."""

from pathlib import Path

import yaml
from django.core.management import call_command

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "openapi.yaml"


def test_api_schema_matches_the_frozen_contract(tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    call_command("spectacular", file=str(path), validate=True, fail_on_warn=True)
    assert path.read_text(encoding="utf-8") == GOLDEN.read_text(encoding="utf-8"), (
        "The API has changed. If that is meant: "
        "python manage.py spectacular --file tests/golden/openapi.yaml"
    )


def test_every_change_documents_refused_credentials_and_every_list_an_invalid_page() -> None:
    schema = yaml.safe_load(GOLDEN.read_text(encoding="utf-8"))
    missing = []
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            expected = {"401", "403"} if method != "get" and "security" in operation else set()
            if any(item["name"] == "page" for item in operation.get("parameters", [])):
                expected.add("404")
            missing += [
                (method, path, status) for status in expected - set(operation["responses"])
            ]
    assert missing == []
