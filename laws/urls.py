"""The addresses of the law book."""

from django.urls import URLPattern, path

from laws import views


def law_urls(way_back: views.WayBack) -> list[URLPattern]:
    """/laws/: `way_back` finds what the pages were come from, for the bar on top of them."""
    return [
        path("", views.laws, {"way_back": way_back}, name="laws"),
        path("<str:size>.pdf", views.laws_pdf, name="laws_pdf"),
    ]
