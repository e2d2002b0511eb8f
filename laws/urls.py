"""The URLs of the law books."""

from django.urls import URLPattern, path

from laws import views


def law_urls(way_back: views.FindOrigin) -> list[URLPattern]:
    """Return the URLs under /laws/.

    `way_back` finds the event from which a reader came, for the navigation bar.
    """
    return [
        path("", views.show_laws, {"way_back": way_back}, name="laws"),
        path("<str:size>.pdf", views.download_laws_pdf, name="laws_pdf"),
        path("etiquette/", views.show_etiquette, name="etiquette"),
        path("etiquette/<str:size>.pdf", views.download_etiquette_pdf, name="etiquette_pdf"),
        path("<slug:code>/", views.show_law_book, name="law_book"),
        path("<slug:code>/<str:size>.pdf", views.download_law_book_pdf, name="law_book_pdf"),
    ]
