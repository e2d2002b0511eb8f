"""The addresses of the law book and of what a director does by it."""

from django.urls import URLPattern, path

from scoring.views import assistant, laws

# /laws/
law_urls: list[URLPattern] = [
    path("", laws.laws, name="laws"),
    path("<str:size>.pdf", laws.laws_pdf, name="laws_pdf"),
]

# /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("ruling/", assistant.assistant, name="assistant"),
    path("ruling/record/", assistant.record, name="assistant_record"),
]
