"""The names of contracts at a club: either the names that players use, or plain titles."""

from drives.games.contracts import PointsTable, replace_local_names_by_titles
from drives.models import Drive, HouseTerms
from drives.scores.terms import parse_points_table


def load_contract_name_style(club_id: int) -> str:
    """Return the club's choice of names for contracts (`HouseTerms.ContractNameStyle`)."""
    stored_name_styles = HouseTerms.objects.filter(club=club_id).values_list(
        "contract_words", flat=True
    )
    return stored_name_styles.first() or HouseTerms.ContractNameStyle.LOCAL


def apply_contract_name_style(
    points_table: PointsTable, contract_name_style: str
) -> PointsTable:
    """Return the points table with the chosen names of contracts.

    `contract_name_style` is a value of `HouseTerms.ContractNameStyle`.
    """
    should_use_titles = contract_name_style == HouseTerms.ContractNameStyle.TITLE
    return replace_local_names_by_titles(points_table) if should_use_titles else points_table


def load_drive_points_table(drive: Drive) -> PointsTable | None:
    """Return the points table of a drive, with the club's choice of names for contracts.

    Returns None if the drive has no game with contracts.
    """
    points_table = parse_points_table(drive.score)
    return points_table and apply_contract_name_style(
        points_table, load_contract_name_style(drive.club_id)
    )
