"""The pages of the site: links between them hold, those to other files become texts, and one that leads nowhere is refused."""

import pytest

from house.site import ROOT, NotThere, linked, named_pages

PAGES = {"docs/pack.md", "spec/types.md"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[types](../spec/types.md#lists)", "[types](../spec/types.md#lists)"),
        ("[here](#lists) [there](https://example.org/a.md)", "[here](#lists) [there](https://example.org/a.md)"),
        ("[the rules](../CONTRIBUTING.md)", "the rules (`CONTRIBUTING.md`)"),
        ("[`house/site.py`](../house/site.py)", "`house/site.py`"),
        ("```md\n[a](nowhere.md)\n```\n`[b](nowhere.md)`", "```md\n[a](nowhere.md)\n```\n`[b](nowhere.md)`"),
    ],
)
def test_links(text: str, expected: str) -> None:
    assert linked(text, "docs/pack.md", PAGES) == expected


def test_a_link_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(NotThere, match=r"^docs/pack\.md links to nowhere\.md, which is not there$"):
        linked("[a](nowhere.md)", "docs/pack.md", PAGES)


def test_links_of_all_pages_lead_somewhere() -> None:
    names = named_pages()
    assert len(names) > 25 and len(set(names)) == len(names)
    for name in names:
        assert linked((ROOT / name).read_text(), name, set(names))


def test_all_guides_are_pages() -> None:
    guides = {str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md") if "node_modules" not in path.parts}
    assert guides <= set(named_pages())
