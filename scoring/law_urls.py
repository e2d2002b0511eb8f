"""The addresses of the law book, the ruling assistant, questions and closing."""

from django.urls import URLPattern, path

from scoring.views import assistant, closing, doubts, laws

# /laws/
law_urls: list[URLPattern] = [
    path("", laws.laws, name="laws"),
    path("<str:size>.pdf", laws.laws_pdf, name="laws_pdf"),
]

# /events/<slug>/
event_urls: list[URLPattern] = [
    path("standings/<int:number>/", closing.version, name="standings_version"),
]

# /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("ruling/", assistant.assistant, name="assistant"),
    path("ruling/record/", assistant.record, name="assistant_record"),
    path("closing/", closing.closing, name="closing"),
    path("closing/hours/", closing.hours, name="closing_hours"),
    path("result/doubt/", doubts.doubt, name="result_doubt"),
]
