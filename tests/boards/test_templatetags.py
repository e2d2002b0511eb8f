"""Templates show a card's symbol first and give screen readers its name."""

import re

from django.template import engines

from boards.whist import CARDS_BY_CODE, Seat, Suit
from boards.whist.dealing import deal_board


def render_template(source, **context):
    return engines["django"].from_string("{% load whist %}" + source).render(context)


def strip_tags(html):
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_card_has_its_symbol_suit_class_and_name():
    template = render_template("{{ card|render_card }}", card=CARDS_BY_CODE["HT"])
    sign = '<span class="card suit-h"><span aria-hidden="true">10<svg class="card__suit">'
    assert template.startswith(f'{sign}<use href="')
    assert template.endswith(
        '#hearts"/></svg></span><span class="visually-hidden">10 of hearts</span></span>'
    )
    assert "queen of spades" in render_template(
        "{{ card|render_card }}", card=CARDS_BY_CODE["SQ"]
    )


def test_suit_without_rank_has_its_symbol_and_its_name():
    assert (
        strip_tags(render_template("{{ suit|render_card }}", suit=Suit.DIAMONDS)) == "diamonds"
    )


def test_deal_shows_four_hands_the_dealer_and_the_turn_up():
    deal = deal_board(bytes(32), 5)
    tags = strip_tags(render_template("{% deal deal number=5 best=8 %}", deal=deal))
    assert tags.startswith("Board 5 North deals spades 10 6 (turn-up) 5 4 hearts A J 6")
    assert [word for word in tags.split() if word in ("North", "East", "South", "West")] == [
        "North",
        "East",
        "South",
        "West",
    ]
    assert tags.count("deals") == 1
    assert tags.endswith("Turn-up 6 6 of spades Best play: N-S 8")


def test_deal_shows_board_number_and_best_play_only_if_given():
    tags = strip_tags(render_template("{% deal deal %}", deal=deal_board(bytes(32), 5)))
    assert "Board" not in tags
    assert "Best play" not in tags
    assert "Best play: N-S 0" in strip_tags(
        render_template("{% deal deal best=0 %}", deal=deal_board(bytes(32), 5))
    )


def test_void_suit_is_shown_as_void():
    hand = deal_board(bytes(32), 1).hands[Seat.NORTH]
    spades = [card for card in hand if card.suit is Suit.SPADES]
    assert strip_tags(render_template("{% hand cards %}", cards=spades)) == (
        "spades J 10 9 5 3 hearts – none diamonds – none clubs – none"
    )


def test_html_of_a_deal_has_no_inline_style():
    html = render_template("{% deal deal number=1 %}", deal=deal_board(bytes(32), 1))
    assert "style=" not in html
    assert html.count('class="hand"') == 4
    assert html.count("deal__hand--dealer") == 1
