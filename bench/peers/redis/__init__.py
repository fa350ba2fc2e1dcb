"""Clients of Redis, each measured on a server of its own: the same program for all."""
