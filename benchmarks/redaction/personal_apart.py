"""Personal data in forms that stand apart: accounts in small letters, telephone numbers of a country, mailboxes that name a file."""

from random import Random

from benchmarks.redaction import personal
from benchmarks.redaction import values as v
from benchmarks.redaction.items import Item, rows


def fill(spec: str, rng: Random) -> str:
    """``low:`` is a spec of ``personal.py`` in small letters."""
    name, _, rest = spec.partition(":")
    return personal.fill(rest, rng).lower() if name == "low" else personal.fill(spec, rng)


_COUNTRIES = ("DE", "GB", "FR", "NL", "ES", "IT", "CH", "AT", "BE", "PL", "NO", "MT")
PII = {
    "iban-small": [f"pay to «low:iban:{c}» now" for c in _COUNTRIES] + [f'{{"v":"«low:iban:{c}: »"}}' for c in _COUNTRIES],
    "phone-national": [
        "call «06 [d2] [d2] [d2] [d2]»",
        "«01.[d2].[d2].[d2].[d2]»",
        "«07-[d2]-[d2]-[d2]-[d2]» is her number",
        "tél. «02 [d2] [d2] [d2] [d2]»",
        "ring «089/[p1][d6]»",
        "«030 / [p1][d3] [d4]»",
        "(«(030) [p1][d6]»)",
        "my number: «0170 [p1][d6]»",
        "«0151-[p1][d7]»",
        "«0176/[p1][d7]»",
        "Rückruf unter «0172 [p1][d2] [d4]»",
        "«(089) [p1][d2] [d2] [d2]»",
        "«07700 900[d3]»",
        "«07[d3] [d3] [d3]»",
        "«020 7[d3] [d4]»",
        "«(020) 7[d3] [d4]»",
        "«0161 496 0[d3]»",
        "«03-[p1][d3]-[d4]»",
        "«090-[p1][d3]-[d4]»",
        "«0412 [d3] [d3]»",
        "«(02) 9[d3] [d4]»",
        "«(11) 9[d4]-[d4]»",
        "«06-[p1][d7]»",
        "«138-[d4]-[d4]»",
        "«010-[p1][d3]-[d4]»",
        "«079 [p1][d2] [d2] [d2]»",
        "«0664/[p1][d6]»",
        '{"note":"please call «06 [d2] [d2] [d2] [d2]» after six"}',
        '{"text":"«0170 [p1][d6]»"}',
    ],
    "mail-in-file": [
        "«[w2]@bank[w3].com».json",
        "/exports/«[w4].[w6]@[w6].org».csv",
        "saved to «[w5]@[w7].de».txt.gz",
        '{"file":"«[w5]@[w6].net».pdf"}',
        "«[w6]@[w6].co.uk».json",
        "s3://b/«[w5]@[w6].com».parquet",
        "«[w5]@[w6].com»_2026.csv",
        "«[w5]@[w6].io».html",
    ],
}


def items(rng: Random) -> list[Item]:
    """The group `pii`."""
    return [item for kind, templates in PII.items() for item in rows("pii", kind, templates, rng, fill)]


__all__ = ["items", "v"]
