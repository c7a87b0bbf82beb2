"""Telephone numbers as people write them in their own country, where the groups leave little doubt, and without tables.

France's five pairs, Germany's and Austria's areas and mobiles, British and Dutch areas, the groups of Japan, Korea, China,
Brazil, Australia.
Three groups of three, ten figures in a row and the like are identifiers, too: the extra ``pii`` and a name find those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

# No part of a longer row of figures, a version, a time, or bytes in pairs.
_LEFT = r"(?<![\w.,:+#/-])(?<!\d )(?<!\d / )(?<![0-9A-Fa-f]{2} [0-9A-Fa-f]{2} )"
_RIGHT = r"(?![\w/-]|[ .:,]\d|(?: [0-9A-Fa-f]{2}){2}(?!\w))"
_FORMS = (
    r"0[1-9](?:(?P<fr>[ .-])\d\d)(?:(?P=fr)\d\d){3}",  # France
    r"\(?0(?:30|40|69|89)\)?(?: ?/ ?| |-)(?:[1-9]\d{1,2}(?: \d\d){2,3}|[1-9]\d{2,4}[ -]?\d{2,5})",  # Berlin, Hamburg, Frankfurt, Munich
    r"\(0[2-9]\d{2,4}\) ?[1-9]\d{2,4}[ -]?\d{2,5}|0[2-9]\d{2,4} ?/ ?[1-9]\d{3,7}",  # other areas of Germany and Austria
    r"01[567]\d{1,2}(?: ?/ ?| |-)\d{3,4}[ -]?\d{3,5}|06[4-9]\d(?: ?/ ?| |-)\d{3,4}[ -]?\d{3,4}",  # their mobiles
    r"07\d{3} \d{6}|07\d{3} \d{3} \d{3}|\(?020\)? [378]\d{3} \d{4}|\(?01[1-9]1\)? \d{3} \d{4}|\(?01[2-9]\d{2}\)? \d{6}",  # Britain
    r"06-[1-9]\d{7}|0(?:10|20|30|40|70)-[1-9]\d{6}",  # the Netherlands
    r"0[36]-\d{4}-\d{4}|0[5789]0-\d{4}-\d{4}|01[016-9]-\d{3,4}-\d{4}",  # Japan, Korea
    r"04\d\d \d{3} \d{3}|\(0[2378]\) [2-9]\d{3} \d{4}",  # Australia
    r"\([1-9]\d\) 9\d{4}-\d{4}",  # Brazil
    r"1[3-9]\d-\d{4}-\d{4}|1[3-9]\d \d{4} \d{4}",  # China
    r"07[6-9] \d{3} \d\d \d\d|0[2-6]\d \d{3} \d\d \d\d|07[6-9] \d{3} \d{3}",  # Switzerland, South Africa
)


def numbers(text: str) -> Iterator[Span]:
    """Every such number in the text."""
    for match in compiled(_LEFT + "(?:" + "|".join(_FORMS) + ")" + _RIGHT).finditer(text):
        yield Span(*match.span(), "phone", match.group())
