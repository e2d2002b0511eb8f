"""The URLs of the law books."""

from django.urls import URLPattern, path

from laws import views


def build_law_urls(find_origin_page: views.FindOriginPage) -> list[URLPattern]:
    """Return the URLs under /laws/.

    `find_origin_page` takes the value of `?event=`, and returns the page from which the reader
    came, or None. The law pages show the navigation bar of that page's event.
    """
    return [
        path("", views.show_laws, {"find_origin_page": find_origin_page}, name="laws"),
        path("<str:size>.pdf", views.download_laws_pdf, name="laws_pdf"),
        path("etiquette/", views.show_etiquette, name="etiquette"),
        path("etiquette/<str:size>.pdf", views.download_etiquette_pdf, name="etiquette_pdf"),
        path("<slug:code>/", views.show_law_book, name="law_book"),
        path("<slug:code>/<str:size>.pdf", views.download_law_book_pdf, name="law_book_pdf"),
    ]
