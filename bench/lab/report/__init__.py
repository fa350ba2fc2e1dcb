"""The report of a run: one HTML page with everything in it, for any browser, without network."""
