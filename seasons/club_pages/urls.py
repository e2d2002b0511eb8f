"""The addresses of the first page, the lessons and a club's own pages."""

from django.urls import URLPattern, path

from seasons.club_pages.views import club_pages, home, learn

# /
public_urls: list[URLPattern] = [
    path("", home.home, name="home"),
    path("events/", home.evenings, name="evenings"),
    path("learn/", learn.learn, name="learn"),
    *(
        path(f"learn/{page.key.replace('_', '-')}/", learn.lesson(number), name=page.view)
        for number, page in enumerate(learn.LESSONS)
    ),
]

# /clubs/<club>/
club_urls: list[URLPattern] = [
    path("", home.club_page, name="club_page"),
    path("feed.xml", club_pages.feed, name="club_feed"),
    path("honours/", club_pages.honours, name="honours"),
    path("records/", club_pages.records, name="club_records"),
]
