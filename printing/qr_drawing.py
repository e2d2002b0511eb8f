"""Drawing of a QR code on a paper."""

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from printing import tags
from printing.box import Box
from printing.qr import QUIET_ZONE_MODULES, QrCode, find_dark_runs


def draw_qr_code(canvas: Canvas, code: QrCode, box: Box) -> None:
    """Draw a QR code, with its quiet zone, centred and as large as the box allows."""
    module = min(box.width, box.height) / code.size
    left = box.left + (box.width - module * code.size) / 2 + QUIET_ZONE_MODULES * module
    top = box.middle + module * code.size / 2 - QUIET_ZONE_MODULES * module
    path = canvas.beginPath()
    for line, row in enumerate(code.rows):
        for first, length in find_dark_runs(row):
            path.rect(left + first * module, top - (line + 1) * module, length * module, module)
    message = _("QR code for %(address)s") % {"address": code.text}
    with tags.open_element(canvas, "Figure", tags.format_figure(message, box)):
        canvas.drawPath(path, stroke=0, fill=1)
