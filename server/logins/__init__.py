"""Logins: sign-in, throttling, second factors, sessions, and the login log."""
