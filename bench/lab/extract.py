"""What RESULTS.md and docs/figures.md show of the stored runs: bytes, which are exact, and ratios of the rows that lead.

Speeds are those of full runs on one machine for each language of an area, of each workload the newest run's; runs that the lab
disturbed on purpose do not count. Bytes depend on neither machine nor rounds: any stored run may tell them, of each row the newest.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from functools import reduce

from bench.lab import suite
from bench.lab.cells import RESOLVED, Row, against_peer, is_ours, rows
from bench.lab.languages import TITLES
from bench.lab.losses import larger
from bench.lab.machine import BUSY_LOAD, NOISY
from bench.lab.places import RESULTS, ROOT
from bench.lab.protocol import LIMIT
from bench.lab.record import OK, Cells, Run
from bench.lab.stats import Interval
from bench.lab.suite import Suite, Workload
from bench.lab.summary import lead, mean, means, sentence, wholes
from bench.lab.tables import markdown
from bench.lab.words import count, figure, listed, plural, span, times, verdict

NOTHING = "No full run is stored yet: `bench run --full`, `bench keep`, `make readme-table`.\n"
WHAT = (
    "Speed is a ratio of times within one run (95 % interval; CPU time, or wall time where it says so), beside the fastest peer of each line in its fastest documented set-up. "
    "{data} Lines are chosen; [RESULTS.md](../bench/RESULTS.md) has all of them, losses too, every peer's name and the bytes. Measured on {machine}."
)
REFERENCE = (
    "The data are the reference data of the lab, small and made by its generators; engines run under the options that it tells."
)
FIELD = (
    "The data of pack are published data sets and telemetry in real types, and engines run with their defaults. The half "
    "that is held out is not tuned by, except as [the lab](../bench/README.md) says; the data of other parts are made by it, and their "
    "engines run under the options that it tells."
)
#: The operation that is the CPU time of another, measured by the clock.
CPU = "cpu"
#: Where the lab's settings of an engine stand.
OPTIONS = {"JVM": "bench/peers/java/jvm.options", "Node and Chromium": "bench/peers/node/v8.options"}
HOW = (
    "A figure below says how many times as fast ours is as the fastest peer of that language, which is named, in the same rounds of fresh "
    "processes, with the 95 % interval; *same*: it includes 1; *not resolved*: it does, and spans more than a factor of 1.5. Each area says "
    "whether its times are CPU time or wall time.\n\n"
)


def lost_commits() -> list[str]:
    """Commits of stored runs that the repository does not hold: their work trees were committed again as others."""
    return [line for line in (RESULTS / "lost_commits.txt").read_text("utf-8").splitlines() if not line.startswith("#")]


def merged(runs: Iterable[Run]) -> Run:
    """Runs, at least one, the oldest first: of each area, language and workload the newest."""
    return reduce(Run.merged, runs)


def sizes(runs: Sequence[Run]) -> str:
    """For every area whose rows have sizes: bytes of ours in each profile, and the smallest peer."""
    if not runs:
        return ""
    cells: Cells = {}
    for one in runs:
        told = {key._replace(op="") for key, cell in one.cells.items() if cell.bytes}
        cells = {key: cell for key, cell in cells.items() if key._replace(op="") not in told} | one.cells
    run = Run(merged(runs).header, cells)
    return "\n".join(filter(None, (_sizes(run, suite.load(area)) for area in run.header.areas)))


def _sizes(run: Run, area: Suite) -> str:
    body = []
    for workload in area.workloads.values():
        found: dict[str, int] = {}
        peers = []
        for key, cell in run.cells.items():
            if (key.area, key.workload, cell.status) != (area.name, workload.name, OK) or not cell.bytes:
                continue
            if not is_ours(key.peer):
                peers += [(cell.bytes, key.peer, key.language)] if run.peer(key).kind != LIMIT else []
            elif profile := next((name for name in area.profiles if key.peer.startswith(f"samewire-{name}")), None):
                found[profile] = max(cell.bytes, found.get(profile, 0))
        if found and peers:
            size, peer, language = min(peers)
            body.append(
                [
                    workload.title,
                    *(count(found.get(name)) for name in area.profiles),
                    f"{count(size)}, {peer} ({TITLES[language]})",
                ]
            )
    if not body:
        return ""
    table = markdown(("bytes", *(f"`{name}`" for name in area.profiles), "smallest peer"), body)
    return "\n".join(filter(None, (table, _smaller(run, area))))


def _smaller(run: Run, area: Suite) -> str:
    """Why some peers are smaller."""
    reasons: dict[str, list[str]] = {}
    for each in larger(rows(run), area):
        reasons.setdefault(each.reason, []).append(area.workloads[each.workload].title)
    told = [f"{listed(titles)}: {reason[0].lower()}{reason[1:].rstrip('.')}" for reason, titles in sorted(reasons.items())]
    return f"Where a peer is smaller: {'; '.join(told)}.\n" if told else ""


def speeds(runs: Sequence[Run]) -> str:
    """For every area: a sentence, where its figures are from, and a table."""
    measured = quotable(runs)
    if not measured:
        return NOTHING
    return HOW + "\n".join(filter(None, (_area(merged(alike), alike, area) for area, alike in measured)))


def shortest(runs: Sequence[Run]) -> str:
    """For every area a sentence and one small table: of several languages a line each, of one a line for each workload.

    Where field data were measured, they stand for the reference data of the same library.
    """
    measured = quotable(runs)
    if not measured:
        return NOTHING
    chosen = instead(measured)
    data = FIELD if len(chosen) < len(measured) else REFERENCE
    measured = chosen
    parts = [wrapped(WHAT.format(machine=machines(measured), data=data))]
    for area, alike in measured:
        run = merged(alike)
        found = rows(run)
        if leading := lead(found, area):
            languages = [name for name in TITLES if any(row.language == name for row in leading)]
            table = _by_language(leading, area, languages) if len(languages) > 1 else _alone(run, leading, area, chosen=True)
            parts.append(f"{wrapped(sentence(run, found, area))}\n{table}")
    return "\n".join(parts)


def instead(measured: Sequence[tuple[Suite, list[Run]]]) -> list[tuple[Suite, list[Run]]]:
    """Those areas for which no other that was measured stands."""
    names = {area.name for area, _ in measured}
    return [(area, alike) for area, alike in measured if area.instead_by not in names]


def wrapped(text: str) -> str:
    return textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False) + "\n"


def _by_language(leading: Sequence[Row], area: Suite, languages: Sequence[str]) -> str:
    """A line for each language: the means of its ratios, and how many of its lines are faster, the same, not resolved and slower."""
    measured = {row.op for row in leading}
    ops = [operation.name for operation in area.operations if operation.whole and operation.name in measured]
    unseen = {workload.name for workload in area.workloads.values() if workload.held_out}
    body = []
    for language in languages:
        of = [row for row in leading if row.language == language]
        ratios = [[row for row in of if row.op == op] for op in ops]
        ratios += [[row for row in some if row.workload in unseen] for some in ratios] if unseen else []
        counts = [sum(getattr(row, state) for row in of) for state in ("faster", "same", "unresolved", "slower")]
        body.append([TITLES[language], *(_mean(some) for some in ratios), " / ".join(map(str, counts))])
    halves = [f"{op}, held out" for op in ops] if unseen else []
    return markdown(("mean of all workloads", *ops, *halves, "faster / same / not resolved / slower"), body)


def _mean(some: Sequence[Row]) -> str:
    if not some:
        return ""
    of = mean(some)
    return f"{times(of.middle)} ({span(of.low, of.high)})" if of.low is not None else times(of.middle)


def options() -> str:
    """The settings of the engines, from the files that the lab starts them with."""
    found = []
    for engine, file in OPTIONS.items():
        lines = (ROOT / file).read_text("utf-8").splitlines()
        tuned = [line for line in lines if line.startswith(("--", "-X")) and not line.startswith("-XX:Compile")]
        found.append(f"{engine} `{' '.join(tuned)}` ([why]({file.removeprefix('bench/')}))")
    return f"Engine options: {'; '.join(found)}. CPython and Rust run with their defaults (Rust: release profile).\n"


def quotable(runs: Sequence[Run]) -> list[tuple[Suite, list[Run]]]:
    """Of each area, in the suites' order, the full runs that were not disturbed on purpose, of each language those of one machine."""
    full = [run for run in runs if run.header.mode == "full" and not run.header.busy]
    found = []
    measured = merged(full).header.areas if full else []
    for name in (name for name in suite.names() if name in measured):
        cut = [Run(run.header, {key: cell for key, cell in run.cells.items() if key.area == name}) for run in full]
        found.append((suite.load(name), _alike(cut)))
    return found


def machines(measured: Sequence[tuple[Suite, list[Run]]]) -> str:
    """The machine of all areas, or those of each; where an area has several, those of its languages."""
    places: dict[tuple[str, int], list[str]] = {}
    for area, alike in measured:
        machines = _by_machine(alike)
        for machine, runs in machines.items():
            spoken = {key.language for run in runs for key in run.cells}
            languages = listed([title for name, title in TITLES.items() if name in spoken])
            places.setdefault(machine, []).append(area.title if len(machines) == 1 else f"{area.title} in {languages}")
    if len(places) == 1:
        return "".join(f"{cpu}, {cores} cores" for cpu, cores in places)
    return listed([f"{cpu}, {cores} cores ({listed(titles)})" for (cpu, cores), titles in places.items()])


def _alike(runs: Sequence[Run]) -> list[Run]:
    """The runs, at least one, with the cells of each language that one machine measured: ratios are within a language."""
    machines = {}
    for language in {key.language for run in runs for key in run.cells}:
        spoken = [Run(run.header, {key: cell for key, cell in run.cells.items() if key.language == language}) for run in runs]
        machines[language] = _most_measured([run for run in spoken if run.cells])
    kept = [
        Run(run.header, {key: cell for key, cell in run.cells.items() if machines[key.language] == _machine(run)}) for run in runs
    ]
    return [run for run in kept if run.cells]


def _most_measured(runs: Sequence[Run]) -> tuple[str, int]:
    """The machine of most workloads, so that a first look on another takes none away; of two the later one."""
    machines = _by_machine(runs)
    return max(reversed(machines), key=lambda machine: len({key.workload for run in machines[machine] for key in run.cells}))


def _by_machine(runs: Sequence[Run]) -> dict[tuple[str, int], list[Run]]:
    found: dict[tuple[str, int], list[Run]] = {}
    for run in runs:
        found.setdefault(_machine(run), []).append(run)
    return found


def _machine(run: Run) -> tuple[str, int]:
    return run.header.machine["cpu"], run.header.machine["cores"]


def _area(run: Run, runs: Sequence[Run], area: Suite) -> str:
    found = rows(run)
    leading = lead(found, area)
    if not leading:
        return ""
    origins = _origins(runs, area)
    where = f": {origins[0]}" if len(origins) == 1 else f", in {len(origins)} runs, the last on {origins[-1][:10]}"
    parts = [f"{sentence(run, found, area)} Measured on {machines([(area, list(runs))])}{where}.\n\n{_table(run, leading, area)}"]
    for profile in area.profiles[1:]:
        alike = {(row.language, row.peer.replace(area.profiles[0], profile)) for row in leading}
        if some := [row for row in wholes(found, area) if (row.language, row.peer) in alike]:
            table = _folded(f"{area.title}, line by line in the <code>{profile}</code> profile", _table(run, some, area))
            parts.append(f"In the `{profile}` profile: {means(some)}.\n\n{table}")
    if len(origins) > 1:
        parts.append(_folded(f"{area.title}: the runs that the figures are from", "".join(f"- {each}\n" for each in origins)))
    return "\n".join(parts)


def _folded(summary: str, text: str) -> str:
    return f"<details><summary>{summary}</summary>\n\n{text}\n</details>\n"


def _table(run: Run, some: Sequence[Row], area: Suite) -> str:
    languages = [name for name in TITLES if any(row.language == name for row in some)]
    return _beside(some, area, languages) if len(languages) > 1 else _alone(run, some, area)


def _origins(runs: Sequence[Run], area: Suite) -> list[str]:
    """The runs whose figures are shown, each with its date, commit and rounds."""
    newest = {(key.language, key.workload): one for one in runs for key in one.cells if key.area == area.name}
    told = []
    for one in runs:
        places = [place for place, last in newest.items() if last is one]
        if not places:
            continue
        head = one.header
        rounds = max(len(cell.wall) for key, cell in one.cells.items() if (key.language, key.workload) in places)
        about = [f"commit {head.commit}{'+' if head.dirty else ''}", plural(rounds, "round")]
        if head.commit in lost_commits():
            about[0] += " (committed again as another since: not in the repository)"
        if head.noise >= NOISY:
            about.append(f"equal work differed by {head.noise:.0%}: an unsteady machine")
        if head.load_before >= BUSY_LOAD:
            about.append(f"a load of {head.load_before:.1f} when it began")
        ran = {language for language, _ in places}
        where = (
            ""
            if ran == {language for language, _ in newest}
            else f" ({', '.join(TITLES[name] for name in TITLES if name in ran)})"
        )
        told.append(f"{head.started[:10]}{where}, {', '.join(about)}")
    return told


def _shown(leading: Sequence[Row], area: Suite, chosen: bool) -> list[Workload]:
    """The workloads that were measured: all of them, or those that are chosen for docs/figures.md."""
    there = {row.workload for row in leading}
    return [workload for workload in area.workloads.values() if workload.name in there and (workload.summary or not chosen)]


def _beside(leading: Sequence[Row], area: Suite, languages: Sequence[str]) -> str:
    """A line for each workload and operation, a column for each language."""
    cells = {(row.workload, row.op, row.language): row for row in leading}
    body = []
    for workload in _shown(leading, area, chosen=False):
        for op in (operation.name for operation in area.operations if operation.whole):
            line = [cells.get((workload.name, op, language)) for language in languages]
            if any(line):
                body.append([f"{workload.title}: {op}", *(_ratio(row) for row in line)])
    return markdown(("", *(TITLES[language] for language in languages)), body)


def _alone(run: Run, leading: Sequence[Row], area: Suite, *, chosen: bool = False) -> str:
    """One language: a line for each workload, with the times as well, and what the peer that users come from takes.

    Where times are those of the clock and CPU time is an operation of its own, that stands beside them.
    """
    ops = [operation.name for operation in area.operations if operation.whole]
    lines = {(row.workload, row.peer) for row in leading}
    spent = {
        row.workload: row for row in rows(run) if row.area == area.name and row.op == CPU and (row.workload, row.peer) in lines
    }
    old = [area.incumbent] if area.incumbent else []
    body = []
    for workload in _shown(leading, area, chosen):
        line = {row.op: row for row in leading if row.workload == workload.name}
        cells = [f"{figure(row.time, row.unit)}: {_ratio(row)}" if (row := line.get(op)) else "" for op in ops]
        if spent:
            cells.append(f"{figure(row.time, row.unit)}: {_ratio(row)}" if (row := spent.get(workload.name)) else "")
        body.append([workload.title, *cells, *(_beside_one(run, list(line.values()), peer) for peer in old)])
    return markdown(("", *ops, *(["CPU time"] if spent else []), *(f"beside {peer}" for peer in old)), body)


def _beside_one(run: Run, some: Sequence[Row], peer: str) -> str:
    """The ratios of some rows to one peer, and the peer's name where it goes on."""
    told = []
    for row in some:
        if found := against_incumbent(run, row, peer):
            name, ratio = found
            also = "" if name == peer else f" {name}"
            wide = ratio.low is None or ratio.high is None or ratio.low <= 1.0 <= ratio.high > RESOLVED * ratio.low
            told.append(f"{'not resolved' if wide else times(ratio.middle)} ({span(ratio.low, ratio.high)}){also}")
    return listed(told) if told else ""


def against_incumbent(run: Run, row: Row, peer: str) -> tuple[str, Interval] | None:
    """The ratio of a row to one peer; where that was not measured, to one whose name goes on from its name."""
    there = {key.peer for key in run.cells if key._replace(peer="") == row.key._replace(peer="")}
    for name in sorted(each for each in there if each == peer or each.startswith(f"{peer}-")):
        if ratio := against_peer(run, row.key, name):
            return name, ratio
    return None


def _ratio(row: Row | None) -> str:
    if row is None:
        return ""
    return (
        f"{verdict(row)} ({span(row.ratio_low, row.ratio_high)}) {row.reference}"
        if row.ratio_low
        else f"{verdict(row)} {row.reference}"
    )
