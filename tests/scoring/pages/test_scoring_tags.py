"""The template filters for numbers."""

from datetime import date
from fractions import Fraction

import pytest
from django.template import Context, Template

from printing.values import Heading
from scoring.sheets.values import RankedGroup, RankRow, RankTable


def render_template(source: str, **context: object) -> str:
    """Render a template fragment with the scoring filters."""
    return Template("{% load scoring %}" + source).render(Context(context))


def build_field(side: str, section: str = "A") -> RankedGroup:
    """Return a field without rows."""
    return RankedGroup(section, side, None, ())


def build_row(score: Fraction) -> RankRow:
    """Return a placing with this score."""
    return RankRow(1, False, 1, "1", "Ada & Bo", score, None, Fraction(13), 2)


def build_table(*fields: RankedGroup) -> RankTable:
    """Return standings of these fields."""
    heading = Heading("Riverside Whist Club", "Tuesday compass", date(2026, 3, 10))
    return RankTable(heading, "plus_minus", fields, (), True, 0, 1)


@pytest.mark.parametrize(
    ("number", "expected_html"),
    [
        (Fraction(9), '<span class="figure">+9</span>'),
        (
            Fraction(-9, 2),
            '<span class="figure">−4<span class="figure__part">.50</span></span>',
        ),
        (Fraction(0), '<span class="figure">0</span>'),
        (None, '<span class="figure">–</span>'),
    ],
)
def test_positive_score_shows_its_sign_and_separate_fraction(
    number: Fraction | None, expected_html: str
) -> None:
    assert render_template("{{ number|format_signed }}", number=number) == expected_html


def test_two_decimals_are_placed_right_of_the_units() -> None:
    template = render_template("{{ number|format_plain }}", number=Fraction(1219, 7))
    assert template == '<span class="figure">174<span class="figure__part">.14</span></span>'


@pytest.mark.parametrize(("tricks_made", "text"), [(9, "+2"), (7, "0"), (6, "−1"), (None, "–")])
def test_table_equal_to_best_play_shows_zero(tricks_made: int | None, text: str) -> None:
    assert render_template("{{ made|format_difference:7|striptags }}", made=tricks_made) == text


def test_column_of_several_methods_shares_a_format_but_keeps_each_sign() -> None:
    rows = [build_row(Fraction(8)), build_row(Fraction(17, 2))]
    source = (
        "{% choose_column_format rows 'score' as whole %}"
        "{% with it=whole|choose_method_format:'plus_minus' %}"
        "{{ rows.0.score|format_in_column:it|striptags }}"
        "{% endwith %} "
        "{% with it=whole|choose_method_format:'matchpoints' %}"
        "{{ rows.1.score|format_in_column:it|striptags }}"
        "{% endwith %}"
    )
    assert render_template(source, rows=rows) == "+8.00 8.50"


def test_column_has_one_number_format() -> None:
    rows = [build_row(Fraction(8)), build_row(Fraction(-17, 2))]
    source = (
        "{% choose_column_format rows 'score' 'plus_minus' as scores %}"
        "{% for row in rows %}{{ row.score|format_in_column:scores|striptags }} {% endfor %}"
    )
    assert render_template(source, rows=rows[:1]) == "+8 "
    assert render_template(source, rows=rows) == "+8.00 −8.50 "
    assert (
        render_template(source, rows=[*rows, build_row(Fraction(1, 7))]) == "+8.00 −8.50 +0.14 "
    )


def test_both_fields_of_the_standings_have_one_format() -> None:
    ns = RankedGroup("A", "NS", None, (build_row(Fraction(1, 2)),))
    ew = RankedGroup("A", "EW", None, (build_row(Fraction(1, 7)),))
    source = (
        "{% choose_column_format table 'score' 'plus_minus' as scores %}"
        "{% for field in table.fields %}"
        "{{ field.rows.0.score|format_in_column:scores|striptags }} "
        "{% endfor %}"
    )
    assert render_template(source, table=build_table(ns, ew)) == "+0.50 +0.14 "


@pytest.mark.parametrize(("method", "text"), [("plus_minus", "+9"), ("matchpoints", "9")])
def test_score_has_a_sign_only_if_its_method_is_signed(method: str, text: str) -> None:
    template = render_template(
        "{{ number|format_score:method }}", number=Fraction(9), method=method
    )
    assert template == f'<span class="figure">{text}</span>'


def test_share_is_formatted_as_a_percentage() -> None:
    assert render_template("{{ part|format_percent }}", part=Fraction(9, 16)) == "56.25 %"


def test_shared_rank_is_marked_as_shared() -> None:
    row = RankRow(3, True, 4, "4 N-S", "Trist & Cohen", Fraction(2), None, Fraction(176), 28)
    assert render_template("{{ row|format_rank }}", row=row) == "=3"


def test_single_section_is_not_named_in_a_heading() -> None:
    ns = build_field("NS")
    assert (
        render_template(
            "{{ ns|get_field_title:t }}", ns=ns, t=build_table(ns, build_field("EW"))
        )
        == "North-South"
    )


def test_several_sections_are_named_in_a_heading() -> None:
    ns = build_field("NS", "B")
    section_title = render_template(
        "{{ ns|get_field_title:t }}", ns=ns, t=build_table(build_field("NS"), ns)
    )
    assert section_title == "Section B, North-South"


def test_single_field_has_the_heading_standings() -> None:
    only_field = build_field("")
    assert (
        render_template(
            "{{ only|get_field_title:t }}", only=only_field, t=build_table(only_field)
        )
        == "Standings"
    )


def test_column_heading_names_what_its_method_counts() -> None:
    assert render_template("{{ 'plus_minus'|get_score_heading }}") == "Plus/minus"


@pytest.mark.parametrize(
    ("name", "short_name"),
    [
        ("Ada Pole", "Ada Pole"),
        ("Ada Pole & Łucja Nowak", "Ada Pole & Łucja Nowak"),
        ("The Larks", "The Larks"),
        ("Ada Pole & Ben Snow & Cy Clay & Dov Mott", "Pole, Snow, Clay, Mott"),
        ("Ada Pole & Ben Pole & Cy Clay & Dov Mott", "A. Pole, B. Pole, Clay, Mott"),
    ],
)
def test_team_named_after_its_players_is_shown_by_their_surnames(
    name: str, short_name: str
) -> None:
    assert render_template("{{ name|format_short_names }}", name=name) == short_name.replace(
        "&", "&amp;"
    )


def test_line_does_not_break_within_a_side() -> None:
    whole = '<span class="nowrap">{}</span>'.format
    text = f"{whole('N-S 8')}, {whole('E-W 5')}; {whole('E-W')} &lt;"
    assert render_template("{{ it|keep_sides_together }}", it="N-S 8, E-W 5; E-W <") == text
    assert (
        render_template("{{ it|keep_sides_together }}", it="A, East-West")
        == f"A, {whole('East-West')}"
    )
    expected_text = f"{whole('3 N-S')}, boards {whole('7–9')}"
    assert (
        render_template("{{ it|keep_sides_together }}", it="3 N-S, boards 7–9") == expected_text
    )


def test_heading_may_break_after_a_slash() -> None:
    assert (
        render_template("{{ words|break_after_slashes }}", words="Plus/minus")
        == "Plus/<wbr>minus"
    )
    assert render_template("{{ words|break_after_slashes }}", words="A < B") == "A &lt; B"
