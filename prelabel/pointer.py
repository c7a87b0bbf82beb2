"""Which JSON pointer leads to a position of a text. No parsing: duplicate keys, NaN and odd numbers have places too."""

from __future__ import annotations

import json
import re

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]', re.DOTALL)


def pointer_at(text: str, position: int) -> str:
    """The pointer of the value, or of the value whose key stands, at ``position``; "" for the whole, and where the text is no JSON."""
    steps: list[str | int] = []
    is_key = False
    for token in _TOKEN.finditer(text):
        if token.start() > position:
            break
        sign = token[0]
        if sign[0] == '"':
            if is_key and steps:
                steps[-1] = _plain(sign)
        else:
            _move(steps, sign)
            is_key = sign in "{," and bool(steps) and isinstance(steps[-1], str)
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def _move(steps: list[str | int], sign: str) -> None:
    """Into, out of and along objects and lists."""
    if sign in "{[":
        steps.append("" if sign == "{" else 0)
    elif sign in "}]":
        del steps[-1:]
    elif sign == "," and steps and isinstance(steps[-1], int):
        steps[-1] += 1


def _plain(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        return quoted[1:-1]
