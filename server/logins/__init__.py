"""Logins: sign-in, throttling, second factors, sessions, API tokens, and the login log."""
