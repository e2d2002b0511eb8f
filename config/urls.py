"""The site map: public pages, the director's pages, the API, the administration."""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView

from config import api

handler404 = "config.errors.not_found"
handler500 = "config.errors.broken"

# /login/, /logout/
login_urls: list[URLPattern | URLResolver] = [
    path("login/", auth.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
]

# /api/
api_urls: list[URLPattern | URLResolver] = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("token/", api.token, name="api-token"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include(login_urls)),
    path("api/", include(api_urls)),
    path("admin/", admin.site.urls),
]
