"""The names of contracts that a club chose: the players' own words, or plain titles."""

from drives.games.contracts import PointsTable, replace_words_by_titles
from drives.models import Drive, HouseTerms
from drives.scores.terms import parse_points_table


def load_contract_words(club_id: int) -> str:
    """Return the club's choice, a value of `HouseTerms.ContractWords`."""
    chosen = HouseTerms.objects.filter(club=club_id).values_list("contract_words", flat=True)
    return chosen.first() or HouseTerms.ContractWords.LOCAL


def apply_contract_words(table: PointsTable, words: str) -> PointsTable:
    """Return a table whose contracts have the chosen names."""
    is_titled = words == HouseTerms.ContractWords.TITLE
    return replace_words_by_titles(table) if is_titled else table


def load_worded_table(drive: Drive) -> PointsTable | None:
    """Return the points table of a drive in the club's words; None without a game."""
    table = parse_points_table(drive.score)
    return table and apply_contract_words(table, load_contract_words(drive.club_id))
