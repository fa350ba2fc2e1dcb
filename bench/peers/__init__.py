"""Peers, one folder a language; the harness starts them as processes, one for each peer, shape and round."""
