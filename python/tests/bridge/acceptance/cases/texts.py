"""Texts and characters."""

from __future__ import annotations

from adaptor import Bridge, case, own, raises


@case("texts: a text arrives as str")
def native(bridge: Bridge) -> None:
    text = own(bridge, "Values").echo("text")
    assert type(text) is str
    assert text == "text"


@case("texts: the empty text is not null")
def empty(bridge: Bridge) -> None:
    values = own(bridge, "Values")
    assert values.echo("") == ""
    assert not values.isNull("")


@case("texts: letters beyond ASCII and beyond the basic plane come back as they went")
def unicode(bridge: Bridge) -> None:
    values = own(bridge, "Values")
    for text in ("é", "ÿ", "Ā", "日本語", "\uffff", "😀", "a😀b", "e\u0301", "\U0010ffff"):
        assert values.echo(text) == text


@case("texts: Java counts UTF-16 units, Python code points")
def lengths(bridge: Bridge) -> None:
    values = own(bridge, "Values")
    assert (values.units("a😀b"), values.points("a😀b"), len(values.echo("a😀b"))) == (4, 3, 3)


@case("texts: line ends, backslashes, quotes and zeros come back as they went")
def controls(bridge: Bridge) -> None:
    values = own(bridge, "Values")
    for text in ("a\nb", "a\r\nb\r", "\\n", "\\\\", '"', "'", "\t", "a\0b", "\x7f\x80", "\u2028", "!x\n", " "):
        assert values.echo(text) == text, repr(text)


@case("texts: a megabyte comes back as it went")
def long_text(bridge: Bridge) -> None:
    text = "häuser 😀 " * 100_000
    assert own(bridge, "Values").echo(text) == text


@case("texts: a char arrives as a str of one character")
def char(bridge: Bridge) -> None:
    letter = own(bridge, "Values").letter("häuser", 1)
    assert letter == "ä"
    assert type(letter) is str


@case("texts: a str of one character is a char where one is wanted")
def char_argument(bridge: Bridge) -> None:
    overloads = own(bridge, "Overloads")
    assert [overloads.onlyChar(letter) for letter in "a日\0"] == ["a", "日", "\0"]


@case("texts: a longer text is not a char")
def long_char(bridge: Bridge) -> None:
    for text in ("ab", "", "😀"):
        with raises(*bridge.refusals):
            own(bridge, "Overloads").onlyChar(text)


@case("texts: a CharSequence takes a str")
def char_sequence(bridge: Bridge) -> None:
    assert own(bridge, "Values").length("four") == 4


@case("texts: a StringBuilder stays an object of Java")
def builder(bridge: Bridge) -> None:
    builder = own(bridge, "Values").builder("abc")
    builder.reverse()
    assert builder.toString() == "cba"
    assert str(builder) == "cba"
    assert builder.length() == 3


@case("texts: new String(...) is a str as well")
def constructed(bridge: Bridge) -> None:
    assert bridge.java.lang.String("made") == "made"


@case("texts: a text that is an Object arrives as str")
def as_object(bridge: Bridge) -> None:
    assert own(bridge, "Values").echoObject("text") == "text"
    assert type(own(bridge, "Values").echoObject("text")) is str


@case("texts: keys of a map are the same texts in both languages")
def as_key(bridge: Bridge) -> None:
    table = bridge.java.util.HashMap()
    table.put("schlüssel 😀", 1)
    assert table.get("schlüssel 😀") == 1
    assert table.containsKey("schl" + "üssel 😀")


@case("texts: a subclass of str is a text")
def subclass(bridge: Bridge) -> None:
    class Name(str):
        """A text of another class."""

    assert own(bridge, "Values").echo(Name("name")) == "name"
