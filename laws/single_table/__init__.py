"""The laws of whist at a single table, which apply to rubbers and drives, not to duplicate.

pole, english_1900, american_league, long_whist   one law book each
incidents                                         incidents, by the moment of play
etiquette                                         customs without a penalty
search                                            search by number or by words
"""

from laws.single_table.american_league import AMERICAN_LEAGUE_LAW_BOOK
from laws.single_table.english_1900 import ENGLISH_1900_LAW_BOOK
from laws.single_table.etiquette import ETIQUETTE, ETIQUETTE_INTRODUCTION, ETIQUETTE_SOURCE
from laws.single_table.incidents import INCIDENT_GROUPS
from laws.single_table.long_whist import LONG_WHIST_LAW_BOOK
from laws.single_table.pole import POLE_LAW_BOOK
from laws.single_table.search import list_frequent_incidents, search_book
from laws.single_table.values import LawBook

LAW_BOOKS_BY_CODE: dict[str, LawBook] = {
    book.code: book
    for book in (
        POLE_LAW_BOOK,
        ENGLISH_1900_LAW_BOOK,
        AMERICAN_LEAGUE_LAW_BOOK,
        LONG_WHIST_LAW_BOOK,
    )
}
"""The law books for a single table, by code; rubber nights use the same codes."""
