"""The URL patterns of the front page, the lessons and a club's public pages."""

from django.urls import URLPattern, path

from seasons.club_pages import learn, views

# URLs below /
public_urls: list[URLPattern] = [
    path("", views.show_front_page, name="home"),
    path("events/", views.list_events, name="evenings"),
    path("learn/", learn.show_learning_overview, name="learn"),
    *(
        path(
            f"learn/{lesson.slug.replace('_', '-')}/",
            learn.build_lesson_view(lesson_index),
            name=lesson.view_name,
        )
        for lesson_index, lesson in enumerate(learn.LESSONS)
    ),
]

# URLs below /clubs/<club>/
club_urls: list[URLPattern] = [
    path("", views.show_club, name="club_page"),
    path("feed.xml", views.download_feed, name="club_feed"),
    path("honours/", views.show_honours, name="honours"),
    path("records/", views.show_best_results, name="club_records"),
]
