"""Objects that a field like `type` tells apart: members of a union where that pays, one struct where not."""

from __future__ import annotations

import random
from typing import Any

import pytest
from fitting import misfit
from samewire.schema.infer import Options, infer
from samewire.schema.infer.inferred_type import InferredList
from test_infer_convert import carried

Row = dict[str, Any]
PAIR = [1.5, 2.5]


def geometries(source: random.Random, number: int) -> Row:
    """GeoJSON: what `coordinates` is depends on `type`."""
    shape = source.choice([("Point", PAIR), ("LineString", [PAIR] * 3), ("Polygon", [[PAIR] * 4])])
    return {"id": number, "geometry": {"type": shape[0], "coordinates": shape[1]} if number % 7 else None}


def events(source: random.Random, number: int) -> Row:
    """Events with an envelope, and a payload of fields of their own."""
    row: Row = {
        "id": number,
        "type": source.choice(["PushEvent", "WatchEvent", "ForkEvent"]),
        "repo": {"id": 1, "name": f"r{number}"},
    }
    payloads: dict[str, Row] = {
        "PushEvent": {"push_id": number, "commits": [{"sha": "a", "message": "m"}]},
        "WatchEvent": {"action": "started"},
        "ForkEvent": {"forkee": {"id": number, "name": f"f{number}"}},
    }
    row["payload"] = payloads[row["type"]]
    if number % 3 == 0:
        row["org"] = {"id": number, "name": f"o{number}"}
    return row


def webhooks(source: random.Random, number: int) -> Row:
    """Kinds whose names are not identifiers."""
    kind = source.choice(["customer.created", "invoice.paid", "ping"])
    fields: dict[str, Row] = {
        "customer.created": {"email": "e", "name": "n"},
        "invoice.paid": {"amount": number, "due": "2024-01-31"},
    }
    return {"$type": kind, **fields.get(kind, {})}


GEOMETRY = (
    "list<struct Record { id: i32, geometry: option<union { struct LineString { coordinates: list<tuple<f64, f64>> }, "
    "struct Point { coordinates: tuple<f64, f64> }, struct Polygon { coordinates: list<list<tuple<f64, f64>>> } }> }>"
)
EVENT = (
    "list<union { struct ForkEvent { id: i32, repo: struct Repo { id: i32, name: string }, payload: struct Payload { "
    "forkee: Repo }, org: option<Repo> }, struct PushEvent { id: i32, repo: Repo, payload: struct PushEventPayload { "
    "push_id: i32, commits: list<struct Commit { sha: string, message: string }> }, org: option<Repo> }, struct WatchEvent { "
    "id: i32, repo: Repo, payload: struct WatchEventPayload { action: string }, org: option<Repo> } }>"
)
WEBHOOK = (
    "list<union { struct CustomerCreated { email: string, name: string }, struct InvoicePaid { amount: i32, due: date }, "
    "struct Ping {} }>"
)


def rows(make: Any, count: int) -> list[Row]:
    source = random.Random(3)
    return [make(source, number) for number in range(count)]


@pytest.mark.parametrize(("make", "schema"), [(geometries, GEOMETRY), (events, EVENT), (webhooks, WEBHOOK)])
def test_kinds_become_members(make: Any, schema: str) -> None:
    value = rows(make, 400)
    inferred = infer(value)
    assert inferred.schema.text == schema
    carried(value)
    assert "union" not in infer(value, Options(unions=False)).schema.text
    assert len(inferred.unions) == 1


@pytest.mark.parametrize("make", [geometries, events, webhooks])
def test_the_other_half_fits(make: Any) -> None:
    value = rows(make, 1000)
    inferred = infer(value[:500]).type
    assert isinstance(inferred, InferredList)
    assert not [path for row in value if (path := misfit(inferred.item, row)) is not None]


def test_the_note_says_which_field_is_left_out_and_what_names_became() -> None:
    assert infer(rows(webhooks, 400)).unions[0].note == (
        "union of CustomerCreated, InvoicePaid, Ping: the field '$type' is left out, the member says it "
        "('customer.created' is CustomerCreated, 'invoice.paid' is InvoicePaid, 'ping' is Ping)"
    )
    assert infer(rows(geometries, 400)).unions[0].note == (
        "union of LineString, Point, Polygon: the field 'type' is left out, the member says it"
    )


def test_the_same_kinds_at_two_places_are_one_union() -> None:
    source = random.Random(3)
    value = [{"at": geometries(source, 1)["geometry"], "near": geometries(source, 1)["geometry"]} for _ in range(200)]
    union = "union { struct LineString { coordinates: list<tuple<f64, f64>> }, struct Point { coordinates: tuple<f64, f64> }, "
    assert infer(value).schema.text == (
        f"list<struct Record {{ at: {union}struct Polygon {{ coordinates: list<list<tuple<f64, f64>>> }} }}, "
        "near: union { LineString, Point, Polygon } }>"
    )
    carried(value)


def test_a_kind_in_a_kind() -> None:
    shapes = [{"type": "circle", "radius": 1, "unit": "m"}, {"type": "square", "side": 2.5, "turned": True}]
    value = [
        [{"op": "add", "shape": shapes[n % 4 // 2], "at": 1}, {"op": "remove", "id": "x", "why": "y"}][n % 2] for n in range(400)
    ]
    assert infer(value).schema.text == (
        "list<union { struct Add { shape: union { struct Circle { radius: i32, unit: string }, struct Square { side: f64, "
        "turned: bool } }, at: i32 }, struct Remove { id: string, why: string } }>"
    )
    carried(value)


def test_names_of_members_that_are_taken() -> None:
    value = {"Point": {"a": 1, "b": 2}, "places": rows(geometries, 40), "kinds": [*rows(webhooks, 60), {"$type": "Ping"}] * 10}
    carried(value)
    assert "struct GeometryPoint { coordinates" in infer(value).schema.text


ONE_STRUCT: list[Any] = [
    # All have the same fields.
    [{"specversion": "1.0", "type": ["a.b", "a.c"][n % 2], "data": {"n": n}} for n in range(400)],
    [{"type": ["MultiPoint", "LineString"][n % 2], "coordinates": [PAIR] * 3} for n in range(400)],
    # Options that the kind does not decide.
    [{"type": ["a", "b"][n % 2], **({"note": "x"} if n % 3 else {})} for n in range(400)],
    # The kinds keep growing, or there are too many.
    [{"type": f"k{n // 8}", **({"x": 1} if n // 8 % 2 else {"y": 2})} for n in range(400)],
    [{"type": f"k{n % 80}", **({"x": 1} if n % 2 else {"y": 2})} for n in range(800)],
    # Too few objects to know what each kind always has.
    [{"type": "a", "x": 1}, {"type": "b", "y": 1}],
    # Not every object says its kind, or not as a text.
    [{**({"type": "a"} if n % 3 else {}), **({"x": 1} if n % 2 else {"y": 2})} for n in range(400)],
    [{"type": n % 2, **({"x": 1} if n % 2 else {"y": 2})} for n in range(400)],
    # A field of another name.
    [{"colour": ["a", "b"][n % 2], **({"x": 1} if n % 2 else {"y": 2})} for n in range(400)],
    # Nodes of a tree.
    [
        {"type": "add", "left": {"type": "number", "value": n}, "right": {"type": "name", "text": "x"}}
        if n % 2
        else {"type": "number", "value": n}
        for n in range(400)
    ],
]


@pytest.mark.parametrize("value", ONE_STRUCT)
def test_one_struct(value: list[Row]) -> None:
    assert "union" not in infer(value).schema.text
    carried(value)


def test_a_few_objects_of_kinds_that_do_not_go_together() -> None:
    value = [{"type": "Point", "coordinates": [1, 2]}, {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}]
    assert infer(value).schema.text == (
        "list<union { struct LineString { coordinates: list<list<i32>> }, struct Point { coordinates: list<i32> } }>"
    )
    carried(value)


def test_a_page_of_events_is_enough_if_their_kind_decides_nearly_all() -> None:
    assert infer(rows(events, 30)).schema.text == EVENT
    assert "union" not in infer(rows(events, 8)).schema.text
