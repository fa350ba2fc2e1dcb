"""The command line: run and report, or report again from earlier results."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from pathlib import Path

from bench.pack import table
from bench.pack.languages import BUILD, LANGUAGES, ROOT
from bench.pack.report import report, summary
from bench.pack.results import Results, load, new
from bench.pack.run import SHAPES, Plan, jobs, run

FULL = Plan(rounds=5, samples=5, sample=0.05, warm=1.0)
QUICK = Plan(rounds=2, samples=3, sample=0.03, warm=0.6)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.pack", description=__doc__)
    names = [language.name for language in LANGUAGES]
    parser.add_argument("--language", action="append", choices=names, help="only this one (may be repeated)")
    parser.add_argument("--shape", action="append", choices=SHAPES, help="only this one (may be repeated)")
    parser.add_argument("--peer", action="append", metavar="TEXT", help="only peers whose name holds TEXT (may be repeated)")
    parser.add_argument("--rounds", type=int, help=f"rounds of fresh processes (default {FULL.rounds})")
    parser.add_argument("--quick", action="store_true", help="two short rounds: for a look, not for quoting")
    parser.add_argument(
        "--from", dest="earlier", nargs="+", type=Path, metavar="JSON", help="report these runs, merged; run nothing"
    )
    parser.add_argument("--md", action="store_true", help="print Markdown, the README's table first")
    return parser.parse_args()


def _measure(arguments: argparse.Namespace) -> Results:
    plan = QUICK if arguments.quick else FULL
    plan = plan._replace(rounds=arguments.rounds or plan.rounds)
    results = new({"quick": arguments.quick, **plan._asdict()})
    languages = [language for language in LANGUAGES if language.name in (arguments.language or language.name)]
    shapes = [shape for shape in SHAPES if shape in (arguments.shape or SHAPES)]
    texts: list[str] = arguments.peer or [""]
    chosen = list(jobs(languages, shapes, lambda peer: any(text in peer for text in texts), plan.rounds, results))
    path = BUILD / f"pack-{datetime.now():%Y-%m-%d-%H%M%S}.json"

    def keep() -> None:
        results.save(path)
        (BUILD / "latest.md").write_text(report(results, table.markdown))

    run(chosen, plan, results, keep)
    print(f"raw figures: {path.relative_to(ROOT)}", file=sys.stderr)
    return results


def main() -> None:
    """See the module's own text."""
    arguments = _arguments()
    results = load(arguments.earlier) if arguments.earlier else _measure(arguments)
    (BUILD / "latest.md").write_text(report(results, table.markdown))
    if arguments.md:
        print(summary(results))
    print(report(results, table.markdown if arguments.md else table.plain))


main()
