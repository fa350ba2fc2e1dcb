"""``python -m bench.pack``: the codecs of `pack` beside their peers, in every language, on the reference data."""
