"""The API's contract: a change makes this test fail and needs a line in the changelog."""

from pathlib import Path

import yaml
from django.core.management import call_command

GOLDEN_PATH = Path(__file__).resolve().parents[1] / "golden" / "openapi.yaml"


def test_api_schema_matches_the_frozen_contract(tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    call_command("spectacular", file=str(path), validate=True, fail_on_warn=True)
    assert path.read_text(encoding="utf-8") == GOLDEN_PATH.read_text(encoding="utf-8"), (
        "The API has changed. If that is meant: "
        "python manage.py spectacular --file tests/golden/openapi.yaml"
    )


def test_api_documents_credential_errors_and_invalid_pages() -> None:
    schema = yaml.safe_load(GOLDEN_PATH.read_text(encoding="utf-8"))
    missing_statuses = []
    for path, operations_by_method in schema["paths"].items():
        for method, operation in operations_by_method.items():
            expected = {"401", "403"} if method != "get" and "security" in operation else set()
            if any(
                parameter["name"] == "page" for parameter in operation.get("parameters", [])
            ):
                expected.add("404")
            missing_statuses += [
                (method, path, status) for status in expected - set(operation["responses"])
            ]
    assert missing_statuses == []
