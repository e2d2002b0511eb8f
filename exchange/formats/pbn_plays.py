"""Exports a closed session as PBN, with one record for each play of a board."""

from django.utils.translation import gettext_lazy

from boards import pbn
from boards.whist import Deal
from boards.whist.second_suits import build_second_play_deal
from exchange.formats.pbn import format_scoring_tag, get_counted_ns_tricks
from exchange.formats.values import BoardFileFormat, DownloadPage
from exchange.results.event_results import BoardPlayResult, load_plays
from scoring.secrecy import can_see_hands
from scoring.session_snapshot import SessionSnapshot


def format_pbn_plays(snapshot: SessionSnapshot) -> bytes:
    """Return a PBN file with one record for each result in tricks, ordered by board.

    Points, averages and void boards are left out. Before the close, the file has no plays.
    """
    session, games = snapshot.session, list[pbn.PbnGame]()
    if can_see_hands(session):
        deals_by_board = session.load_known_deals()
        games = [
            _build_game(play, deals_by_board[play.board_number], tricks)
            for play in load_plays(snapshot)
            if play.board_number in deals_by_board
            and (tricks := get_counted_ns_tricks(play.traveller_line)) is not None
        ]
    return pbn.format_games(
        games,
        event_name=session.event.name,
        site=session.event.club.name,
        date=session.day.strftime("%Y.%m.%d"),
        scoring=format_scoring_tag(session.event),
    ).encode()


def _build_game(play: BoardPlayResult, deal: Deal, ns_tricks: int) -> pbn.PbnGame:
    return pbn.PbnGame(
        board_number=play.board_number,
        deal=build_second_play_deal(deal) if play.is_in_other_suits else deal,
        player_names_by_seat=play.names_by_seat,
        trumps=play.traveller_line.trump.suit if play.traveller_line.trump else None,
        ns_tricks=ns_tricks,
        extra_tags={
            "Section": play.section_letter,
            "Table": str(play.table_number),
            "Round": str(play.round_number),
        },
    )


FORMAT = BoardFileFormat(
    name="pbn-plays",
    title=gettext_lazy("PBN, one record per play"),
    media_type="application/x-pbn",
    extension="pbn",
    has_cards=True,
    labels_by_page={
        DownloadPage.HANDS: gettext_lazy("Save plays as PBN"),
        DownloadPage.DIRECTOR: gettext_lazy("Save plays as PBN"),
    },
    write_file=format_pbn_plays,
)
