"""The checks of papers detect the faults that they are for."""

from collections.abc import Callable

from reportlab.pdfgen.canvas import Canvas

from printing.fonts import SANS_FONT, register_face
from tests.scoring.papers import reading

FONT = register_face(SANS_FONT)


def draw_page(draw: Callable[[Canvas], None]) -> reading.PageObject:
    """Return a page of 300 by 200 points with a drawing in a form that is moved by 100."""
    canvas = Canvas("page.pdf", pagesize=(300, 200))
    canvas.beginForm("form", 0, 0, 200, 100)
    canvas.setFont("Helvetica", 10)
    draw(canvas)
    canvas.endForm()
    canvas.translate(100, 100)
    canvas.doForm("form")
    (page,) = reading.read_pages(canvas.getpdfdata())
    return page


def test_line_over_the_edge_is_detected_inside_a_transformed_form() -> None:
    assert reading.list_outside_marks(draw_page(lambda canvas: canvas.line(0, 0, 201, 0)))
    assert reading.list_outside_marks(draw_page(lambda canvas: canvas.rect(0, -101, 5, 5)))
    assert not reading.list_outside_marks(
        draw_page(lambda canvas: canvas.line(-100, -100, 200, 100))
    )


def test_line_through_text_is_distinguished_from_line_beside_it() -> None:
    def build_rule_drawing(*ends: float) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.setFont(FONT, 10)
            canvas.drawString(10, 10, "Ada Pole")
            canvas.line(*ends)

        return draw

    assert reading.list_crossed_strings(draw_page(build_rule_drawing(20, 0, 20, 50)))
    assert reading.list_crossed_strings(draw_page(build_rule_drawing(0, 13, 90, 13)))
    assert not reading.list_crossed_strings(draw_page(build_rule_drawing(9, 0, 9, 50)))
    assert not reading.list_crossed_strings(draw_page(build_rule_drawing(0, 8, 90, 8)))


def test_overlapping_texts_are_detected() -> None:
    def build_two_string_drawing(left: float) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.setFont(FONT, 10)
            canvas.drawString(10, 10, "Ada Pole")
            canvas.drawString(left, 12, "Jones")

        return draw

    assert reading.list_collisions(draw_page(build_two_string_drawing(40)))
    assert not reading.list_collisions(draw_page(build_two_string_drawing(80)))
