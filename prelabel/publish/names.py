"""Names that stand beside each other, in one scope: fixture ids, notices, causes. Different ones stay different."""

from __future__ import annotations

from typing import TYPE_CHECKING

import redaction
from prelabel.publish.release import check

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from redaction import Policy


def public_names(texts: Iterable[str], policy: Policy, *, sink: str = "report") -> Mapping[str, str]:
    """Raw to redacted, all at once: what is asked for one by one would be looked through again for each."""
    raw = dict.fromkeys(texts, "")
    scope = redaction.Scope(raw, policy=policy)
    outs = [scope.minted(text, out) for text, out in zip(raw, scope.rewrite(raw), strict=True)]
    if any(out.kinds for out in outs):
        check([out.text for out in outs], sink, policy=policy, raw=raw)
    return dict(zip(raw, (out.text for out in outs), strict=True))
