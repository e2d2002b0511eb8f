"""The plain titles of contracts are translated in every language of the pages."""

from pathlib import Path

import pytest
from django.utils import translation

from config.catalogues import read_catalogue
from drives.games import GAMES_BY_CODE

CATALOGUES = sorted(Path(__file__).parents[3].glob("locale/*/LC_MESSAGES/django.po"))
UNTRANSLATED = {str(level) for level in range(7, 14)}
"""Bids without words."""


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
def test_the_titles_of_all_contracts_are_translated(path: Path) -> None:
    with translation.override("en"):
        labels = [
            each.label
            for game in GAMES_BY_CODE.values()
            for each in game.points_table.contracts
        ]
        titles = {str(text) for label in labels for text in (label.title, label.family)}
        titles |= {str(game.title) for game in GAMES_BY_CODE.values()}
    messages = read_catalogue(path).messages
    translated_texts = {
        each.text for each in messages if each.is_translated and not each.context
    }
    assert titles - translated_texts == UNTRANSLATED
