"""Names with a value in free text: environment lines, keyword arguments, reprs, form bodies, command lines.

    password=..   'password': '..'   "api_key": ".."   --token ..   curl -u user:..

In a sentence a colon proves little (``Invalid token: }``), so there a bare value must look like a secret;
quotes, ``=`` without blanks, and a line that holds nothing else are enough by themselves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from redaction.detectors.names import ABOUT, NUMBERS, STRONG, kind_of_name, kind_of_query, segments
from redaction.detectors.queries import cut_queries
from redaction.detectors.values import FIGURES, plausible, says, secret_parts, value_spans
from redaction.views import compiled, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redaction.types import Span

_KEYED = r"(?<!\w)(\w[\w.-]{1,79}+)([\"'`]?\]?)([ \t]{0,8})(=>|->|:=|={1,2}|:)(?!//)([ \t]{0,8})(?:[bBuUrRfFeENxX]{1,2}(?=[\"']))?"
_QUOTED = {quote: rf"{quote}([^{quote}\\]*+(?:\\.[^{quote}\\]*+)*+){quote}" for quote in "\"'`"}
# A sign that ends a value mostly may also stand in it: then the value goes on, and no other name begins there.
_GOES_ON = r"(?<![(\[{=:,].)(?=[A-Za-z0-9])(?![\w.-]{0,40}[=:])(?!(?:amp|quot|apos|lt|gt);)"
_BARE = rf"(?:[^\s\"'`,;&|<>(){{}}\[\]\\]|[&\"'`]{_GOES_ON})"
_BARE_ASSIGNED = rf"(?:[^\s\"'`,;&|<>(){{}}\[\]\\]|[,;&|)\"'`]{_GOES_ON})"
_WORD = rf"(?:[^\s&\"']|[&\"']{_GOES_ON})"
_READ = "{1,2048}"  # what is read before it is known to be a value; a value is then taken whole
_READ_FIGURES = "{1,64}"
_FLAG = r"(?<![\w-])--?([A-Za-z][\w-]{1,60})[ \t]{1,4}([\"']?)([^\s\"'($-][^\s\"']*+)"
_ONE_MORE = r"(?:\n[ \t]{0,16}[^\s\"']{1,512})?"  # line, of what a line end cuts in two
_FLAG_QUOTED = (
    r"(?<![\w-])--?([A-Za-z][\w-]{1,60})[ \t=]{1,4}(?:\"([^\"\n]{1,1024}" + _ONE_MORE + r")\"|'([^'\n]{1,1024}" + _ONE_MORE + r")')"
)
_BASIC_FLAG = r"(?<![\w-])(?:-u|--user|--proxy-user)[ =]{0,2}[\"']?[^\s:\"']{1,64}:([^\s\"']+)"
# A list, set or call around the values: ['a', 'b'], {'a'}, SecretStr('a'). And what a changed value became.
_OPENED = r"(?:SecretStr|SecretBytes|Secret|Password|str|bytes)?[\[({]\s{0,4}"
_ELEMENT_OF = r"[bu]?(?:\"([^\"\\]*+(?:\\.[^\"\\]*+)*+)\"|'([^'\\]*+(?:\\.[^'\\]*+)*+)')\s{0,4},?\s{0,4}"
_FLOW = r"\[([^\[\]{}\"'`\n]{1,4096})\][ \t]*(?:\n|$)"
_ITEM = r"[ \t]*\r?\n[ \t]{0,32}-[ \t]{1,8}([^\s\"'`:={}\[\]]{4,4096}+)(?=[ \t]*(?:\r?\n|$))"
_COLON = r"\s{0,4}:\s{0,4}"
_BECAME = r"[\"'`] -> [\"'`]([^\"'`\n]{1,4096})"
_COLUMNS = words("id name title date created updated value type")  # what `?key=` may sort or select by
_FILE = r"\.[a-z]{1,5}$"  # `token.py:817` is a place in a file
_PHRASE = r"[^\W\d_]{2,24}(?:[ ,-][^\W\d_]{1,24}){2,48}(?=[ \t]*(?:\r?\n|$))"
_SHORTEST_ENCODED = 12
_LONGEST = 65536  # of a text in three quotes
_DEEPEST = 64
_TYPE = r"(?:[A-Z][a-z]*){1,8}"  # `password: SecretStr`
_TYPES = words("float double char byte varchar text uuid json date datetime decimal callable void never password passwd")
_DOTTED = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+"


def assignments(text: str) -> Iterator[Span]:
    """Every value in the text whose name says that it is secret."""
    if "=" in text or ":" in text or "->" in text:
        yield from _keyed(text)
        yield from cut_queries(text)
    if "-" in text:
        yield from _flags(text)


def _keyed(text: str) -> Iterator[Span]:
    done = 0
    for match in compiled(_KEYED).finditer(text):
        if match.start() < done:
            continue
        kind, query = _announced(text, match)
        if kind is None:
            continue
        for span in _held(text, match, kind):
            yield span
            done = span.end
        start, end, bare = _value(text, match, _READ_FIGURES if kind in FIGURES else _READ)
        if bare:
            phrase = _phrase(text, match, start)
            if phrase:
                end = phrase
            elif query or _stands_alone(text, match, kind, start, end):
                end = _whole(text, bare, end)
            else:
                continue
        value = text[start:end]
        shouted = match.group(1).isupper() and match.group(4) == "="
        for span in value_spans(kind, value, start, sure=query or shouted):
            yield span
            done = end
        became = None if bare else compiled(_BECAME).match(text, end)
        if became is not None:
            yield from value_spans(kind, became.group(1), became.start(1))


def _announced(text: str, match: re.Match[str]) -> tuple[str | None, bool]:
    """The kind that the name announces, and whether the place leaves no doubt: a URL's query."""
    name = match.group(1)
    query = text[match.start() - 1 : match.start()] in {"?", "&"} and match.group(4) == "="
    if not query:
        kind = kind_of_name(name)
        return None if kind in {"authorization", "cookie"} else kind, False  # whole header lines: redaction.detectors.headers
    value = compiled(r"\w*").match(text, match.end())
    word = value.group().lower() if value else ""
    if name.lower() == "key" and word in _COLUMNS:
        return None, False
    # `?code=404` is a status more often than a grant, and a grant looks like a secret.
    return kind_of_query(name), not (name.lower() == "code" and word.isdigit())


def _held(text: str, match: re.Match[str], kind: str) -> Iterator[Span]:
    """Values in a block, a list, a call or a dict behind the name."""
    yield from _block(text, match, kind)
    yield from _items(text, match, kind)
    opened = compiled(_OPENED).match(text, match.end())
    if opened is not None:
        yield from _elements_of(text, opened.end(), kind)


def _block(text: str, match: re.Match[str], kind: str) -> Iterator[Span]:
    """A block of YAML (``password: |``): the lines below that stand deeper than the name."""
    if match.group(4) != ":":
        return
    head = compiled(r"[|>][+-]?[1-9]?[+-]?[ \t]*\r?\n").match(text, match.end())
    if head is None:
        return
    margin = match.start() - (text.rfind("\n", 0, match.start()) + 1)
    start = end = head.end()
    for line in compiled(r"[^\n]*(?:\n|$)").finditer(text, start):
        bare = line.group().strip()
        if not line.group() or (bare and len(line.group()) - len(line.group().lstrip(" ")) <= margin):
            break
        end = line.end() if bare else end
    yield from value_spans(kind, text[start:end], start)


def _items(text: str, match: re.Match[str], kind: str) -> Iterator[Span]:
    """A list of YAML without quotes, on one line or on lines of its own. They may be names, so one at least must look like a secret."""
    if match.group(4) != ":":
        return
    flow = compiled(_FLOW).match(text, match.end())
    if flow is not None:
        found = [(item.group(), flow.start(1) + item.start()) for item in compiled(r"[^,\s]+").finditer(flow.group(1))]
        if any(plausible(value) for value, _ in found):
            for value, start in found:
                yield from value_spans(kind, value, start)
        return
    start = match.end()
    while (item := compiled(_ITEM).match(text, start)) is not None:
        if plausible(item.group(1)):
            yield from value_spans(kind, item.group(1), item.start(1))
        start = item.end()


def _elements_of(text: str, start: int, kind: str) -> Iterator[Span]:
    """The values of a list, a call or a dict of texts. What stands before a colon is a key: ``{"password": {"min_length": 8}}``."""
    while (match := compiled(_ELEMENT_OF, re.DOTALL).match(text, start)) is not None:
        at = match.lastindex or 1
        colon = compiled(_COLON).match(text, match.end())
        if colon is not None:
            key = match.group(at)
            match = compiled(_ELEMENT_OF, re.DOTALL).match(text, colon.end())
            if match is None:
                return
            at = match.lastindex or 1
            if key.lower() in ABOUT or kind not in STRONG:
                start = match.end()
                continue
        yield from value_spans(kind, match.group(at), match.start(at))
        start = match.end()


def _value(text: str, match: re.Match[str], read: str) -> tuple[int, int, str]:
    """Start and end of the value, and the class of its characters if it has no quotes."""
    start = match.end()
    quote = text[start : start + 1]
    if quote in _QUOTED and quote == text[match.start() - 1 : match.start()] and not match.group(2):
        return start, start, _BARE  # 'Password: ' is a text that ends here
    if quote in _QUOTED and text.startswith(quote * 3, start):
        end = text.find(quote * 3, start + 3, start + _LONGEST)
        return start + 3, start + 3 if end < 0 else end, ""
    if quote in _QUOTED:
        closed = compiled(_QUOTED[quote], re.DOTALL).match(text, start)
        if closed is not None:
            return (*closed.span(1), "")
        end = text.find("\n", start)
        return start + 1, len(text) if end < 0 else end, ""
    line_start = match.start() == 0 or text[match.start() - 1] in "\n ;"
    shouted = match.group(1).isupper() and match.group(4) == "=" and line_start
    in_query = match.start() > 0 and text[match.start() - 1] in "?&"
    characters = _WORD if shouted else _BARE_ASSIGNED if match.group(4) == "=" and not in_query else _BARE
    bare = compiled(characters + read).match(text, start)
    return start, bare.end() if bare else start, characters


def _whole(text: str, characters: str, end: int) -> int:
    more = compiled(characters + "++").match(text, end)
    if more is not None:
        return more.end()
    return end - 1 if text[end - 1] in ".:" else end  # the end of a sentence


def _stands_alone(text: str, match: re.Match[str], kind: str, start: int, end: int) -> bool:
    """Whether a bare value is meant as a value, and not as a word that happens to follow."""
    value = text[start:end]
    if _is_code(text, match.group(1), value, end) or (value.isdigit() and compiled(_FILE).search(match.group(1))):
        return False
    if kind in FIGURES:
        shape = compiled(FIGURES[kind]).fullmatch(value.rstrip(".:")) is not None
        return len(value) >= 3 and (shape or (len(value) >= _SHORTEST_ENCODED and any(secret_parts(kind, value))))
    if kind in NUMBERS and value.isdigit():
        return len(value) >= 3
    if compiled(r"[\d.,+-]+").fullmatch(value) and not plausible(value):
        return False
    if match.group(4) != ":" and not match.group(3) and not match.group(5):
        return True
    line = match.start() == 0 or text[match.start() - 1] == "\n" or (kind == "password" and _below_another(text, match.start(), value))
    rest = text[end : end + 8].lstrip(" \t.")
    return (kind in STRONG and line and (not rest or rest[0] in "\r\n")) or plausible(value)


def _phrase(text: str, match: re.Match[str], start: int) -> int:
    """Where a phrase of at least three words ends that is all of its line (``passphrase: ..``); 0 if it is none, or says something."""
    if not "".join(segments(match.group(1))).endswith(("phrase", "mnemonic", "seedwords")):
        return 0
    margin = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    line = compiled(_PHRASE).match(text, start)
    if line is None or compiled(r"(?:[ \t>+*-]|export ){0,16}").fullmatch(margin) is None or says(line.group()):
        return 0
    return line.end()


def _below_another(text: str, start: int, value: str) -> bool:
    """Whether a password stands deeper on its line, as YAML nests it, and is no type of a field in code."""
    before = text[max(text.rfind("\n", 0, start) + 1, start - _DEEPEST) : start]
    return not before.strip(" -") and value.lower() not in _TYPES and compiled(_TYPE).fullmatch(value) is None


def _is_code(text: str, name: str, value: str, end: int) -> bool:
    """Whether a bare value is a name, an attribute or a call in source code, or the head of a reference such as ``${X}``."""
    if name.lower() == "pwd" and value[0:1] in {"/", "~", "."}:  # the working directory
        return True
    if not value or value.lower() == name.lower().rpartition(".")[2] or text[end : end + 1] == "(":
        return True
    called = text[end : end + 1] in {")", ","} and "(" in text[max(0, end - 120) : end]  # `login(user, password=pw)`
    if called and compiled(r"[a-z_]+").fullmatch(value) is not None:
        return True
    return dotted(value) or (len(value) < 3 and compiled(r"\w").search(value) is None)


def dotted(value: str) -> bool:
    """Whether a value is an attribute (``settings.DB_PASSWORD``) and no password with a dot in it."""
    mixed = all(compiled(part).search(value) for part in ("[0-9]", "[a-z]", "[A-Z]"))
    return not mixed and compiled(_DOTTED).fullmatch(value) is not None


def _flags(text: str) -> Iterator[Span]:
    for match in compiled(_FLAG).finditer(text):
        kind = kind_of_name(match.group(1))
        if kind is not None and _optioned(kind, match.group(3)):
            yield from value_spans(kind, match.group(3), match.start(3))
    for match in compiled(_FLAG_QUOTED).finditer(text):
        kind = kind_of_name(match.group(1))
        at = match.lastindex or 2
        if kind is not None and _optioned(kind, match.group(at).strip("\"'`")):
            yield from value_spans(kind, match.group(at), match.start(at))
    if "-u" in text or "-user" in text:
        for match in compiled(_BASIC_FLAG).finditer(text):
            yield from value_spans("password", match.group(1), match.start(1))


def _optioned(kind: str, value: str) -> bool:
    """Whether the value of an option of that kind is the secret itself."""
    return kind in STRONG or kind in FIGURES or (kind in {"token", "session", "signature"} and plausible(value))
