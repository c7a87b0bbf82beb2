"""The scope of one divergence: one table of placeholders for all its texts.

Order (study of redaction, section 7; callers took the facts from raw values before): find in every text,
spread what was found to all of them, rewrite each once from left to right, look again until nothing is
found, truncate, and do the same with what is left. Any fault or limit, or a text in which something is
still found after that, closes: ``UNSCANNED-<bytes>-bytes-<N>x`` leaves instead, different for different texts.
"""

from __future__ import annotations

from collections import Counter
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING

from redaction.detectors.kinds import WEAK
from redaction.detectors.names import kind_of_pointer
from redaction.parts import unhidden
from redaction.placeholder import Table, choose_word, count_kinds
from redaction.policy import STRICT
from redaction.scan import Scanner, merged
from redaction.spread import Known
from redaction.truncate import choose_phrase, cut_one, cut_pair
from redaction.types import Pair, Redacted, ScanLimitError, Span, mint
from redaction.views import compiled, fold, readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from redaction.policy import Policy

LARGEST = 4 * 1024 * 1024  # code points; a longer text is not scanned, so it is not sent
_ROUNDS = 5
_BLANK = "|"  # joins nothing: no letter, figure or sign of an encoding
_NOTHING = Known()


class Scope:
    """Redacts texts that belong together. Give all texts at the start where you can.

    The texts given to the constructor decide the placeholder word and are searched for values to spread.
    A later text that holds the word has it hidden as the kind ``word``, so it can imitate no placeholder.
    """

    def __init__(self, texts: Iterable[str] = (), *, policy: Policy = STRICT, composed: bool = False) -> None:
        """``composed``: the texts hold parts that were redacted before (``redaction.compose``)."""
        self._texts = tuple(dict.fromkeys(texts))
        self._policy = policy
        self._composed = composed
        self._until = 0.0
        self._known = Known(policy.exact)
        self._table: Table | None = None
        self._detected: dict[tuple[str, str | None], list[Span]] = {}
        self._unscanned: dict[str, str] = {}
        self._done: dict[tuple[str, str], Redacted] = {}

    def redact(self, text: str, *, at: str = "") -> Redacted:
        """One text of the scope. ``at``: the JSON pointer at which it stands, whose names may say that it is secret."""
        if not isinstance(text, str):
            raise TypeError(f"redaction takes str, not {type(text).__name__}")
        if (text, at) not in self._done:
            (out,) = self.rewrite({text: at})
            self._done[text, at] = self.minted(text, out)
        return self._done[text, at]

    def rewrite(self, texts: Mapping[str, str], *, own: bool = False) -> list[str | None]:
        """The redacted texts (keys; values are pointers); None where a text could not be scanned.

        ``own``: the texts come from this scope, so its placeholders in them are real.
        """
        self._until = monotonic() + self._policy.seconds
        try:
            if self._table is None and not own:
                self._texts = tuple(dict.fromkeys((*self._texts, *texts)))
            for text in self._texts:
                self._detect(text, None)
            return self._rewrite(list(texts), [kind_of_pointer(at) for at in texts.values()], own=own)
        except Exception:  # noqa: BLE001 - whatever went wrong, nothing unscanned may leave
            return [None] * len(texts)

    def minted(self, raw: str, out: str | None, *, whole: str | None = None) -> Redacted:
        """``out`` as ``Redacted``, or what stands for ``raw`` if it is None. Kinds are counted in ``whole``, the text before it was cut."""
        if out is None:
            return mint(self._closed(raw), {}, self._policy)
        return mint(out, count_kinds(out if whole is None else whole), self._policy)

    def _rewrite(self, texts: Sequence[str], kinds: Sequence[str | None], *, own: bool) -> list[str | None]:
        now: list[str | None] = [text if len(text) <= LARGEST else None for text in texts]
        late = [[] if own else self._word(text) for text in now]
        for _ in range(_ROUNDS):
            for text, kind in zip(now, kinds, strict=True):
                self._detect(text, kind)  # all texts first: what one holds is hidden in the others
            found = [merged(text or "", [*self._find(text, kind), *word]) for text, kind, word in zip(now, kinds, late, strict=True)]
            if not any(found):
                return now
            if self._table is None:
                self._table = Table(choose_word([text for text in self._texts if len(text) <= LARGEST]))
            now = [text and _replaced(text, spans, self._table) for text, spans in zip(now, found, strict=True)]
            late = [[] for _ in now]
        raise ScanLimitError("the text does not settle")

    def _detect(self, text: str | None, kind: str | None) -> list[Span]:
        if not text or len(text) > LARGEST:
            return []
        key = (text, kind)
        if key not in self._detected:
            spans = Scanner(_NOTHING, self._policy, detect=True, until=self._until).scan(text, kind)
            if self._composed:
                spans = unhidden(text, spans)
            self._known.add(spans)  # all of them: one inside another may stand elsewhere by itself
            self._detected[key] = merged(text, spans)
        return self._detected[key]

    def _find(self, text: str | None, kind: str | None) -> list[Span]:
        spans = self._detect(text, kind)
        if not text or not self._known:
            return spans
        plain = not readings(text) and fold(text) is None  # else a longer value may stand there in another form
        if plain and _covered(spans, sorted((*self._known.search(text), *self._known.broken(text)))):
            # As it is with most texts: then look only at what is left.
            text_left = _blanked(text, (span for span in spans if span.kind not in WEAK))
            return merged(text, [*spans, *Scanner(self._known, self._policy, detect=False, until=self._until).scan(text_left, None)])
        return merged(text, [*spans, *Scanner(self._known, self._policy, detect=False, until=self._until).scan(text, kind)])

    def _word(self, text: str | None) -> list[Span]:
        """Where a text that came too late holds the scope's word."""
        if text is None or self._table is None or text in self._texts:
            return []
        word = self._table.word + "-"
        return [Span(match.start(), match.end(), "word", word) for match in compiled(word).finditer(text)]

    def _closed(self, raw: str) -> str:
        if raw not in self._unscanned:
            size = len(raw.encode("utf-8", "surrogatepass"))
            number = len(self._unscanned) + 1
            while any(f"UNSCANNED-{size}-bytes-{number}x" in text for text in self._texts):
                number += 1
            self._unscanned[raw] = f"UNSCANNED-{size}-bytes-{number}x"
        return self._unscanned[raw]


def _covered(spans: Sequence[Span], found: Iterable[Span]) -> bool:
    """Whether every one of the ``found`` lies within one of the ``spans``. Both are in order."""
    at = 0
    for one in found:
        while at < len(spans) and spans[at].end < one.end:
            at += 1
        if at == len(spans) or spans[at].start > one.start:
            return False
    return True


def _blanked(text: str, spans: Iterable[Span]) -> str:
    parts: list[str] = []
    position = 0
    for span in spans:
        parts += (text[position : span.start], _BLANK * (span.end - span.start))
        position = span.end
    return "".join((*parts, text[position:]))


def _replaced(text: str, spans: Iterable[Span], table: Table) -> str:
    parts: list[str] = []
    position = 0
    for span in spans:
        raw = text[span.start : span.end]
        name = table.name(raw=raw, kind=span.kind, value=span.value, form=span.form, quote=span.quote)
        parts += (text[position : span.start], span.quote, name, span.quote)
        position = span.end
    return "".join((*parts, text[position:]))


def redact_text(text: str, *, at: str = "", policy: Policy = STRICT) -> Redacted:
    """One text by itself, whole. Texts that belong together go through one ``Scope``."""
    return Scope((text,), policy=policy).redact(text, at=at)


def redact_pair(
    baseline: str, candidate: str, *, more: Mapping[str, str] = MappingProxyType({}), at: str = "", policy: Policy = STRICT
) -> Pair:
    """Both sides of a divergence and what belongs to it (fixture input, messages, paths), in one scope, truncated.

    ``at`` is the JSON pointer at which both sides stand, if they are parts of a larger text.
    """
    raw = dict.fromkeys(more.values(), "") | {baseline: at, candidate: at}
    scope = Scope(raw, policy=policy)
    whole = dict(zip(raw, scope.rewrite(raw), strict=True))
    out = _cut(scope, whole, baseline, candidate)
    minted = {text: scope.minted(text, out[text], whole=whole[text]) for text in raw}
    counts: Counter[str] = Counter()
    counts.update(count_kinds("\n".join(text for text in whole.values() if text)))
    return Pair(
        baseline=minted[baseline],
        candidate=minted[candidate],
        more=MappingProxyType({name: minted[text] for name, text in more.items()}),
        truncated=any(out[text] not in {None, whole[text]} for text in raw),
        scanned=None not in out.values(),
        legend=mint(legend(counts, scanned=None not in out.values()), counts, policy),
    )


def _cut(scope: Scope, whole: Mapping[str, str | None], baseline: str, candidate: str) -> dict[str, str | None]:
    """The texts as they leave: cut around the differences, and looked at once more, because a cut makes new edges."""
    try:
        phrase = choose_phrase([text for text in whole.values() if text])
        out = {text: None if done is None else cut_one(done, phrase) for text, done in whole.items()}
        left, right = whole[baseline], whole[candidate]
        if left is not None and right is not None:
            out[baseline], out[candidate] = cut_pair(left, right, phrase)
        for text, done in out.items():
            if done is not None and done != whole[text]:
                (out[text],) = scope.rewrite({done: ""}, own=True)
    except Exception:  # noqa: BLE001 - see Scope.rewrite
        return dict.fromkeys(whole)
    if baseline != candidate and out[baseline] is not None and out[baseline] == out[candidate]:  # pragma: no cover - held by the laws
        out[baseline] = out[candidate] = None
    return out


def legend(kinds: Mapping[str, int], *, scanned: bool) -> str:
    """One line that says what the placeholders stand for."""
    counted = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    said = f"Hidden: {counted}. One number is one value; other numbers are other values." if counted else "Nothing was hidden."
    return said if scanned else f"{said} What could not be scanned is not shown."
