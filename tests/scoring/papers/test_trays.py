"""Labels, hand cards and lists for the trays, read back."""

from boards.whist import Seat
from scoring.papers import board_lists, hand_cards, tray_labels
from tests.scoring.papers import reading, tray_samples


def test_labels_are_printed_eight_to_a_page_with_number_and_dealer_only() -> None:
    pages = reading.read_texts(tray_labels.draw_pdf(tray_samples.build_labels(10)))
    assert len(pages) == 2
    assert "Dealer North" in pages[0]
    assert "Dealer East" in pages[0]
    assert not set("♠♥♦♣") & set("".join(pages))


def test_dealers_pocket_is_framed_on_a_label() -> None:
    (page,) = reading.read_pages(tray_labels.draw_pdf(tray_samples.build_labels(1)))
    assert len([mark for mark in reading.list_marks(page) if mark.kind == "box"]) == 1


def test_curtain_card_shows_thirteen_cards_and_dealers_card_the_turn_up() -> None:
    cards = tray_samples.build_hand_cards(1)
    (page,) = reading.read_texts(hand_cards.draw_curtain_cards_pdf(cards))
    for card in cards:
        spades = " ".join(item.rank.text for item in card.cards if item.suit == "S")
        assert spades in page
    assert page.count("Turn-up") == 1
    assert page.count("North deals") == 3


def test_record_card_is_five_by_three_inches_four_to_a_page() -> None:
    cards = tray_samples.build_hand_cards(2, title="First round", player="Ada Pole")
    for size in ("A4", "Letter"):
        pdf = hand_cards.draw_record_cards_pdf(cards, paper_size=size)
        pages = reading.read_pages(pdf)
        assert len(pages) == 2
        frames = [mark for mark in reading.list_marks(pages[0]) if mark.kind == "box"]
        assert len(frames) == 5  # four cards and the turn-up on the dealer's
        assert "Ada Pole First round" in reading.read_texts(pdf)[0]


def test_dealing_machine_list_names_dealer_and_turn_up_of_every_board() -> None:
    sheet = tray_samples.build_dealing_machine_list(40)
    pages = reading.read_texts(board_lists.draw_dealing_machine_list_pdf(sheet))
    assert len(pages) == 2
    text = " ".join(pages)
    for row in sheet.rows:
        assert str(row.turn_up) in text
    assert all(seat.word in text for seat in Seat)


def test_result_card_has_a_line_for_each_hand_and_names_of_both_sides() -> None:
    (page,) = reading.read_texts(
        board_lists.draw_result_card_pdf(tray_samples.build_result_card(12))
    )
    assert "Pole & Clay" in page
    assert "Total" in page
