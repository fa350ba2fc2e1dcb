"""``python -m bench`` is the command ``bench``."""

from bench.lab.cli import main

main()
