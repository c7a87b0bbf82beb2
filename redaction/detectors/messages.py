# ruff: noqa: RUF001 - letters of other scripts are what this file is about
"""What stands under a secret's name and is none: a message of a form, a label, a mask with a few signs left.

    "password": "has already been taken"   "password": "Passwort bestätigen"   "card_number": "**** 1234"   password: ENC[..]

A message is made of common words and at least one that judges or asks, two in three; a passphrase is not.
"""

from __future__ import annotations

from redaction.detectors.abroad import KINDS_ABROAD
from redaction.detectors.names import WORDS, kind_of_name, plain_letters
from redaction.views import compiled, words

# Words that any message may have.
_COMMON = words(
    "a an and api key are at be been but by can can't cannot could couldn't do does doesn't don't for from has hasn't have if in "
    "is isn't "
    "it more must "
    "need needs no not of on one only or other our same should than that the this to too try two use was were will with you your we "
    "le la les un une de des du est ne pas doit au en et votre ce que "
    "der die das ein eine ist nicht muss mindestens darf und oder zu bitte sein ihr "
    "el los una no es debe al menos y tu su por "
    "o os um uma deve ser pelo menos sua "
    "il non deve essere almeno "
    "не и в на это ваш должен быть"
)
# Words that judge a value or ask for one; at least one of them makes a message.
_SAYING = words(
    "accepted account again allowed already authentication blank changed character characters chars choose common compromised "
    "confirm confirmation "
    "contain contains correct could current decrypted denied different digit digits do empty enter entered error exceed expected "
    "expired failed "
    "field forgot forgotten format found incorrect input invalid least length letter letters long lowercase match matched matches "
    "matching "
    "maximum minimum mismatch missing mix new number numbers old please provide provided recognized required reset retype revoked "
    "set short "
    "similar special string strong stronger symbol symbols taken unknown uppercase upper lower used valid value verify weak wrong "
    "username user "
    "obligatoire oublié incorrect invalide caractères entrez saisissez confirmer "
    "bestätigen vergessen eingeben erforderlich wiederholen ungültig zeichen falsch kurz "
    "obligatoria obligatorio incorrecta confirmar olvidaste caracteres vacía introduzca "
    "incorreta obrigatória esqueceu confirme digite inserisci obbligatoria dimenticata caratteri "
    "trop court courte ungültiges ungültige show hide entirely numeric "
    "введите неверный подтвердите обязательно забыли символов wymagane wymagana zorunlu gerekli verplicht herhaal"
)
# In scripts without blanks between words: a part of the value says so.
_SAYING_PARTS = (
    "输入",
    "不能",
    "错误",
    "确认",
    "忘记",
    "必",
    "必須",
    "必填",
    "必需",
    "无效",
    "入力",
    "確認",
    "以上",
    "忘れ",
    "입력",
    "확인",
    "필수",
    "잘못",
    "잊",
)
_NO_MESSAGE = r"[A-Za-z0-9]{4}|^[A-Za-z]|[A-Za-z0-9]$"
_SHORTEST = 4  # characters: fewer may be a password
_SIGNS = ".,:;!?'\"()[]*–—-…。，！？&"
# At most four signs on either side of what hides the rest; what programs write instead of a value.
_MASK = (
    r"(?:[A-Za-z0-9]{0,4}|[A-Za-z]{2,7}[-_])(?:[*•●·…]{3,}[ -]?|\.{3}){1,4}[A-Za-z0-9]{0,4}|[xX]{6,}[ -]?[0-9]{4}"
    r"|(?:[xX]{4}[ -]){1,3}[0-9]{4}"
    r"|[*•(\[<{ -]{1,8}(?i:hidden|redacted|masked|removed|filtered|omitted|sensitive|encrypted|protected|unchanged|not shown"
    r"|no change)[*•)\]>} -]{1,8}"
)
# The rules of a form: `required|string|min:8`.
_RULES = (
    r"(?:required|nullable|string|confirmed|sometimes|min:\d+|max:\d+)(?:\|(?:[a-z_]{2,30}|min:\d+|max:\d+|between:\d+,\d+"
    r"|regex:.{1,200})){1,12}"
)
_SEALED = r"ENC\[.{8,}|ENC\([A-Za-z0-9+/=_-]{8,}\)?|\$ANSIBLE_VAULT;.{4,}"


def message(value: str) -> bool:
    """Whether a value says something about the field; whole values only, of at most 400 characters."""
    if len(value) > 400:
        return False
    said = [word for part in value.split() if (word := part.strip(_SIGNS).lower())]
    if _of_a_form(value):
        return True
    if len(said) < 2 or any(not _is_word(word) for word in said):
        return False
    saying = sum(word in _SAYING for word in said)
    named = sum(kind_of_name(word) is not None for word in said)
    known = saying + named + sum(word in _COMMON or word.isdigit() for word in said)
    return known >= 2 and (3 * known >= 2 * len(said) if saying else known == len(said) and named > 0 and value[:1].isupper())


def _is_word(word: str) -> bool:
    """Letters of one script, or a small number."""
    return (word.isdigit() and len(word) <= 3) or word.replace("'", "").replace("-", "").replace("’", "").isalpha()


def _of_a_form(value: str) -> bool:
    """The name of a secret in another language, as a form shows it: alone, or with a word that asks or judges."""
    bare = value.strip(_SIGNS + " ")
    if (plain_letters(bare) in WORDS or (not bare.isascii() and plain_letters(bare) in KINDS_ABROAD)) and (
        bare[:1].isupper() or not bare[:1].islower()
    ):
        return True
    if bare in _SAYING_PARTS:
        return len(bare) > 1
    return _SHORTEST <= len(bare) <= 60 and not compiled(_NO_MESSAGE).search(bare) and any(part in bare for part in _SAYING_PARTS)


def sealed(value: str) -> bool:
    """Whether a value is a mask that shows at most four signs of what it hides, or was encrypted by a tool that says so."""
    bare = value.strip()
    if bare[:4] in {"ENC[", "ENC(", "$ANS"}:
        return compiled(_SEALED).fullmatch(bare) is not None
    if "|" in bare:
        return len(bare) <= 400 and compiled(_RULES).fullmatch(bare) is not None
    return len(bare) <= 80 and compiled(_MASK).fullmatch(bare) is not None
