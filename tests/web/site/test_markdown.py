"""The introduction: Markdown becomes markup, and nothing in it can do harm."""

from __future__ import annotations

from referee.web.site.markdown import rendered
from support.groups import together


def test_markdown_becomes_markup() -> None:
    text = "# Title\n\nSome *words* and `code`:\n\n- one\n- two\n\n| a |\n| - |\n| b |\n"
    assert rendered(text).replace("\n", "") == (
        "<h3>Title</h3><p>Some <em>words</em> and <code>code</code>:</p>"
        "<ul><li>one</li><li>two</li></ul>"
        "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>"
    )


def test_a_link_leads_to_a_web_page() -> None:
    assert rendered("[x](https://example.org/a?b=1&c=2)") == (
        '<p><a href="https://example.org/a?b=1&amp;c=2" rel="nofollow noopener noreferrer">x</a></p>\n'
    )


@together(
    "text",
    [
        "<script>hacked=1</script>",
        "a <img src=x onerror=hacked=1> b",
        "[x](javascript:hacked=1)",
        "[x](JaVaScRiPt:hacked=1)",
        "[x](data:text/html,hacked)",
        "[x](file:///etc/passwd)",
        "[x](../secret.html)",
        "<javascript:hacked=1>",
        "![x](https://example.org/x.png)",
        "[x]: javascript:hacked=1\n\n[x]",
        '[x](https://example.org "\\"><script>")',
        "<!-- hidden -->",
        "\u2028\x1b[31m<b>",
    ],
)
def test_no_text_becomes_an_element_that_can_do_harm(text: str) -> None:
    markup = rendered(text)
    for part in ("<script", "<img", "<b>", "<!--", "\x1b", "\u2028"):
        assert part not in markup
    for address in markup.split('href="')[1:]:
        assert address.startswith("https://example.org")
