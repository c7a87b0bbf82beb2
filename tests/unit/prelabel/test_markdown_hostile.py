"""Nothing in a payload acts where the pull-request block is read: mentions, links, tags, comments, commands, layout."""

import re

import pytest

from gate.canonical.visible_json import visible
from gate.types import replace
from prelabel.publish import markdown
from prelabel.types import Advice
from tests.unit.prelabel.test_markdown import block, entry, report

HOSTILE = [
    "@user", "@org/team", "#1", "GH-12", "owner/repo#1", "http://evil.example/x", "https://evil.example", "ftp://evil.example", "www.evil.example",
    "mail@evil.example", "![x](y)", "[x](y)", "[x][y]", "[x]: y", "<script>alert(1)</script>", "<img src=x onerror=y>", "<!-- x -->", "-->", "--!>",
    "</details>", "</summary>", "`", "```", "~~~", "``x``", "a|b", "| a | b |\n|---|---|", "line\nline", "\n\n# heading", "\n::set-output name=x::y",
    "::error::boom", "##[error]boom", "%0A::warning::x", "\x1b[31m", "\u202e", "&lt;b&gt;", "&#64;user", "$x$", "- [ ] task", "> quote", "    code", "\\",
    "shadow:end", markdown.END, markdown.BEGIN, "<a href='javascript:x'>", "\u2028", "\r", "", " ", "  a  ",
]  # fmt: skip


def outside_code(text):
    """What a Markdown renderer reads as Markdown: the block without fences and code spans."""
    text = re.sub(r"^  ```diff\n.*?^  ```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "CODE", text)


@pytest.mark.parametrize(
    "where", ["id", "field", "baseline", "candidate", "reason", "row", "near", "pin", "notice", "stale", "impure", "rule"]
)
@pytest.mark.parametrize("hostile", HOSTILE, ids=[ascii(one)[1:30] for one in HOSTILE])
def test_nothing_in_a_payload_acts(where, hostile):
    calm = block(planted(where, "calm"), planted_advice(where, "calm"))
    text = block(planted(where, hostile), planted_advice(where, hostile))
    frame, other = outside_code(calm), outside_code(text)
    assert other == frame
    inside = text.replace(markdown.BEGIN, "", 1)[: -len(markdown.END) - 1]
    for pattern in (
        r"@\w", r"://", r"(?i)www\.", r"<!--", r"-->", r"<script", r"<img", r"<a ", r"!\[", r"\]\(", r"\]\[", r"\]:", r"(?i)\bgh-\d", r"#\d", r"##\[", r"::", r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]", r"\|",
    ):  # fmt: skip
        assert re.search(pattern, inside) is None, pattern
    assert text.count("```") == calm.count("```")
    assert text.count("</details>") == calm.count("</details>")
    assert len(text.splitlines()) == len(calm.splitlines())
    assert all(
        line.lstrip()[:1] in "-+`*#<CRSDN" or line.startswith(("  rejected", "  near")) for line in text.splitlines() if line.strip()
    )


def planted(where, text):
    one = entry(verdict="reject", row="r:1", reason="why", near="n:1")
    if where in ("id", "field", "reason", "row", "near"):
        one = replace(one, **{where: text})
    elif where in ("baseline", "candidate"):
        one = replace(one, **{where: visible(text + ("" if text not in "ab" else "c"))})
    more = {}
    if where == "pin":
        more["baseline"] = {"pin": text}
    if where == "notice":
        more["notices"] = (text,)
    if where == "impure":
        more["impure"] = ({"id": text, "field": text, "cause": text},)
    if where == "stale":
        more["stale"] = ({"id": text, "field": text, "row": text, "why": text},)
    if where == "rule":
        one = replace(one, verdict="unclassified", row=None, reason=None, id=text)
    return report(one, **more)


def planted_advice(where, text):
    if where != "rule":
        return ()
    (one,) = planted(where, text).divergences
    return (Advice(id=text, field=one.field, fingerprint=one.fingerprint, label="abstain", rule=text, reason="A reason.", source="rule"),)
