"""Drawing of a QR code on a paper."""

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from printing import tags
from printing.box import Box
from printing.qr import QUIET_ZONE_MODULES, QrCode, find_dark_runs


def draw_qr_code(canvas: Canvas, code: QrCode, box: Box) -> None:
    """Draw a QR code, with its quiet zone, centred and as large as the box allows."""
    module_size = min(box.width, box.height) / code.size
    left = (
        box.left + (box.width - module_size * code.size) / 2 + QUIET_ZONE_MODULES * module_size
    )
    top = box.middle_y + module_size * code.size / 2 - QUIET_ZONE_MODULES * module_size
    path = canvas.beginPath()
    for row_index, row in enumerate(code.rows):
        for run_start, length in find_dark_runs(row):
            path.rect(
                left + run_start * module_size,
                top - (row_index + 1) * module_size,
                length * module_size,
                module_size,
            )
    description = _("QR code for %(address)s") % {"address": code.text}
    with tags.open_element(canvas, "Figure", tags.format_figure_attributes(description, box)):
        canvas.drawPath(path, stroke=0, fill=1)
