"""The document of contracts has the tables of the games."""

from pathlib import Path

from tests.drives.games.contract_tables import write_tables

DOCUMENT_PATH = Path(__file__).resolve().parents[3] / "docs" / "contracts.md"


def test_document_has_the_tables_of_all_games() -> None:
    text = DOCUMENT_PATH.read_text(encoding="utf-8")
    assert text.split("<!-- tables -->\n")[1] == write_tables()
    assert len(text.splitlines()) <= 200
