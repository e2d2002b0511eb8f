"""Logins: the door, what guessing meets, second factors, who is in, and what is noted of it."""
