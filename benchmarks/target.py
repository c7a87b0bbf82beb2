"""The package under test, as two sides. The candidate is the baseline with the changes below, each made exactly once.

A parcel record in, its customs declaration out: text, decimals, dates and nesting, some forty microseconds a call.
"""

from pathlib import Path

PACKAGE = "parcels"
ENTRY = f"{PACKAGE}.declare:declare"

SOURCE = '''"""A parcel record in, its customs declaration out."""

import re
import textwrap
import unicodedata
from datetime import date
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, InvalidOperation

GRAM = Decimal("0.001")
CENT = Decimal("0.01")
RATES = {"drill": Decimal("0.017"), "globe": Decimal("0.042"), None: Decimal("0.025")}
LEAST = Decimal("0.50")
POSTCODE = re.compile(r"[A-Z0-9][A-Z0-9 -]{1,8}[A-Z0-9]")


class DeclarationError(ValueError):
    """The record cannot be declared."""


def party(record):
    if not isinstance(record, dict) or not record.get("name"):
        raise DeclarationError("a party needs a name")
    code = str(record.get("postcode", "")).strip().upper()
    if code and not POSTCODE.fullmatch(code):
        raise DeclarationError(f"bad postcode: {code!r}")
    return {"name": one_line(record["name"]), "street": one_line(record.get("street", "")), "postcode": code or None}


def one_line(text):
    return unicodedata.normalize("NFC", " ".join(text.split()))


def decimal(text, step):
    try:
        return Decimal(str(text)).quantize(step, rounding=ROUND_HALF_UP)
    except InvalidOperation:
        raise DeclarationError(f"bad number: {text!r}") from None


def marks(labels):
    if labels is None:
        return None
    return sorted({label.strip().lower() for label in labels if label.strip()})


def day(text):
    year, month, day_of_month = text.split("-")
    return date(int(year), int(month), int(day_of_month)).isoformat()


def remark(text):
    lines = [wrapped for line in text.split("\\n") for wrapped in textwrap.wrap(line, 48) or [""]]
    return "\\n".join(lines)


def line(item, number):
    pieces = item.get("pieces", 1)
    if not isinstance(pieces, int) or pieces < 1:
        raise DeclarationError(f"line {number}: bad count {pieces!r}")
    weight = decimal(item.get("weight", "0"), GRAM)
    value = decimal(item.get("value", "0"), CENT)
    duty = max(RATES.get(item["goods"].split()[0], RATES[None]) * value * pieces, LEAST).quantize(CENT, rounding=ROUND_HALF_EVEN)
    return {
        "number": number,
        "goods": one_line(item["goods"]).upper(),
        "pieces": pieces,
        "weight": str(weight * pieces),
        "value": str(value * pieces),
        "duty": str(duty),
    }


def extras(tree):
    if isinstance(tree, dict):
        return {key.lower(): extras(value) for key, value in tree.items() if value != ""}
    if isinstance(tree, list):
        return [extras(value) for value in tree]
    return tree


def checked(number):
    """A parcel number with its check digit, as postal services weight it."""
    total = sum(int(digit) * weight for digit, weight in zip(number[2:10], (8, 6, 4, 2, 3, 5, 9, 7)))
    digit = {10: 0, 11: 5}.get(11 - total % 11, 11 - total % 11)
    return f"{number}{digit}"


def declare(record):
    lines = [line(item, number) for number, item in enumerate(record["lines"], 1)]
    return {
        "number": checked(record["number"]),
        "from": party(record["from"]),
        "to": party(record["to"]),
        "posted": day(record["posted"]),
        "lines": lines,
        "weight": str(sum((Decimal(one["weight"]) for one in lines), Decimal(0))),
        "value": str(sum((Decimal(one["value"]) for one in lines), Decimal(0))),
        "duty": str(sum((Decimal(one["duty"]) for one in lines), Decimal(0))),
        "marks": marks(record.get("marks")),
        "remark": remark(record.get("remark", "")),
        "extras": extras(record.get("extras", {})),
    }
'''

CHANGES = (
    ('unicodedata.normalize("NFC", " ".join(text.split()))', 'unicodedata.normalize("NFD", " ".join(text.split()))'),
    ("        return None\n", "        return []\n"),
    ('raise DeclarationError(f"bad number: {text!r}") from None', 'raise AssertionError(f"bad number: {text!r}") from None'),
    ("rounding=ROUND_HALF_UP", "rounding=ROUND_HALF_EVEN"),
    ('return "\\n".join(lines)', 'return "\\n".join(lines).strip()'),
)


def candidate_source():
    text = SOURCE
    for old, new in CHANGES:
        if text.count(old) != 1:
            raise ValueError(f"found {text.count(old)} times, not once: {old}")
        text = text.replace(old, new)
    return text


def write_sides(folder: Path):
    """`folder`/baseline, `folder`/candidate, and `folder`/unchanged, which is other bytes that do what the baseline does."""
    sides = []
    for name, text in (("baseline", SOURCE), ("candidate", candidate_source()), ("unchanged", f"{SOURCE}# Nothing changed.\n")):
        package = folder / name / PACKAGE
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("", encoding="utf-8")
        (package / "declare.py").write_text(text, encoding="utf-8")
        sides.append(folder / name)
    return sides
