"""Token shapes, one a line, by family. Sources: the vendors' public notes on their token formats.

``LEFT`` (no letter or figure before) stands before prefixes that end common words (``task-``, ``disk-``);
distinct prefixes are found glued to other characters too (``x_AKIA..``). Lengths are lower bounds where a
cut-off token would still be worth something. Order is priority where two rules cover the same place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.pack.ai import AI
from redaction.detectors.pack.business import BUSINESS
from redaction.detectors.pack.cloud import CLOUD
from redaction.detectors.pack.code import CODE
from redaction.detectors.pack.keys import KEYS
from redaction.detectors.pack.people import PEOPLE

if TYPE_CHECKING:
    from redaction.detectors.rule import Rule

RULES: tuple[Rule, ...] = (*KEYS, *CLOUD, *CODE, *AI, *BUSINESS, *PEOPLE)
