"""The URLs of the publishing pages, and of the results that this server has received."""

from django.urls import URLPattern, path

from seasons.publishing import api
from seasons.publishing.views import received_results, results_out

# URLs below /clubs/<club>/
club_urls: list[URLPattern] = [
    path("sent/", received_results.list_received_documents, name="sent_here"),
    path(
        "sent/seasons/<slug:slug>/", received_results.show_received_season, name="sent_season"
    ),
    path("sent/drives/<slug:slug>/", received_results.show_received_drive, name="sent_drive"),
    path("sent/<slug:slug>/", received_results.show_received_evening, name="sent_evening"),
    path(
        "sent/<slug:slug>/<str:page>", received_results.show_received_evening, name="sent_page"
    ),
]

# URLs below /director/results-out/
director_urls: list[URLPattern] = [
    path("", results_out.show_publishing_page, name="results_out"),
    path("files/", results_out.show_club_files, name="club_files"),
    path("files/make/", results_out.request_club_file, name="club_file_make"),
    path("files/<int:pk>/", results_out.download_club_file, name="club_file"),
    path("sending/", results_out.show_upload_state, name="sending"),
    path("sending/to/", results_out.set_upload_server, name="sending_to"),
    path("sending/now/", results_out.start_upload, name="sending_now"),
    path("sending/withdraw/", results_out.withdraw_document, name="sending_withdraw"),
    path("sending/again/", results_out.resend_document, name="sending_again"),
]

# URLs below /director/events/<slug>/mail/
event_mail_urls: list[URLPattern] = [
    path("", results_out.show_results_mail, name="results_mail"),
    path("send/", results_out.send_results_mail, name="results_mail_send"),
    path("<int:pk>/bounced/", results_out.record_bounced_mail, name="results_mail_bounced"),
]

# URLs below /mail/
mail_urls: list[URLPattern] = [
    path("off/<str:token>/", results_out.unsubscribe, name="mail_off"),
]

# URLs below /api/clubs/<club>/
api_urls: list[URLPattern] = [
    path("published/", api.list_published_documents, name="api-published-list"),
    path("published/missing/", api.find_missing_documents, name="api-published-missing"),
    path("published/<uuid:uid>/", api.handle_published_document, name="api-published"),
]
