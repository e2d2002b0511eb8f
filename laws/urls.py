"""The URLs of the law books."""

from django.urls import URLPattern, path

from laws import views


def law_urls(way_back: views.WayBack) -> list[URLPattern]:
    """Return the URLs under /laws/.

    `way_back` finds the event from which a reader came, for the navigation bar.
    """
    return [
        path("", views.laws, {"way_back": way_back}, name="laws"),
        path("<str:size>.pdf", views.laws_pdf, name="laws_pdf"),
        path("etiquette/", views.etiquette, name="etiquette"),
        path("etiquette/<str:size>.pdf", views.etiquette_pdf, name="etiquette_pdf"),
        path("<slug:code>/", views.law_book, name="law_book"),
        path("<slug:code>/<str:size>.pdf", views.law_book_pdf, name="law_book_pdf"),
    ]
