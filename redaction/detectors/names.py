"""Which names say that their value is secret: keys of JSON, headers, environment, query, command line.

A name is cut into segments at case, ``_``, ``-``, ``.`` and digits, and matched by segment, never by
substring: ``tokenizer``, ``compass`` and ``secretary`` are harmless. A qualifier makes it a fact about the
secret instead of the secret: ``max_tokens``, ``token_type``, ``password_min_length``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from redaction.detectors.vendors import VENDORS
from redaction.views import compiled, words

LONGEST_NAME = 128
# Letters with a stroke, which fall apart into nothing.
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "\u0131": "i", "ß": "ss", "æ": "ae", "ð": "d", "Ł": "L", "Ø": "O", "Đ": "D"})


def plain_letters(text: str) -> str:
    """A name as the tables write it: small letters without accents, blanks or signs. Those of other scripts stay."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.translate(_LETTERS)).lower() if c.isalnum())


def _words(table: dict[str, str]) -> dict[str, str]:
    return {word: kind for kind, words in table.items() for word in words.split()}


# One segment, or two or three that stand side by side, written together.
WORDS = _words(
    {
        "password": "password passwords passwd pwd pass passphrase passcode passwort kennwort senha contrasena motdepasse pw dbpass "
        "userpass rootpass rootpw adminpw userpw dbpw pswd passwrd storepass keypass psk "
        "adgangskode contrasenya fjalekalimi geslo haslo jelszo katasandi losenord lykilord matkhau palavrapasse parool pasahitza passord "
        "salasana sifre slaptazodis wachtwoord zaporka",
        "secret": "secret secrets clientsecret appsecret sharedsecret mnemonic seedphrase recoverycode recoverycodes backupcode "
        "backupcodes securityanswer secretanswer totpseed otpseed hmacseed walletseed seedwords "
        "chavesecreta chiavesegreta clavesecreta clesecrete geheimerschlussel geheimnis",
        "api-key": "apikey apikeys accesskey accesskeyid secretkey secretaccesskey secretid authkey accountkey sharedkey masterkey "
        "signingkey encryptionkey licensekey servicekey deploykey adminkey appkey applicationkey hmackey webhookkey storagekey "
        "presharedkey serverkey consumerkey subscriptionkey functionkey hostkey clientkey apisecret stripekey openaikey anthropickey",
        "private-key": "privatekey sshprivatekey privatepem sshkey tlskey sslkey",
        "credential": "credential credentials creds cred githuboauth gitlaboauth",
        "authorization": "authorization proxyauthorization",
        "cookie": "cookie cookies setcookie",
        "session": "sessionid sessid jsessionid phpsessid sid sessionkey laravelsession rackssession cisession",
        "token": "token tokens accesstoken refreshtoken idtoken authtoken bearer jwt auth csrf xsrf csrftoken xsrftoken apitoken "
        "samlresponse samlrequest samlart heslo jeton lozinka mdp parola parole",
        "pin": "pin pincode",
        "otp": "otp totp mfacode otpcode verificationcode smscode twofactorcode logincode confirmationcode onetimecode",
        "cvv": "cvv cvc csc securitycode cardcode",
        "ssn": "ssn socialsecurity socialsecuritynumber",
        "card": "cardnumber creditcard creditcardnumber ccnumber ccnum cardno pan",
        "phone": "phone phonenumber phoneno telephone telefon tel mobile mobilenumber mobileno cell cellphone msisdn fax",
        "birth-date": "dateofbirth birthdate birthday dob geburtsdatum",
        "national-id": "passport passportnumber passportno driverlicense driverlicence driverslicense driverslicence drivinglicense "
        "drivinglicence taxid taxnumber taxpayerid tin steuerid nationalid nationalidnumber aadhaar aadhaarnumber nhsnumber nhsno "
        "cpf cnpj dni nif codicefiscale nino nationalinsurance nationalinsurancenumber socialinsurancenumber sin pesel bsn personnummer",
        "account": "accountnumber accountno bankaccount bankaccountnumber routingnumber sortcode kontonummer",
    }
)
ENDINGS = {
    "password": "password",
    "passwd": "password",
    "passphrase": "password",
    "secret": "secret",
    "apikey": "api-key",
    "token": "token",
    "credentials": "credential",
}
_ENDINGS = tuple(ENDINGS)
# Behind the word: the value is about the secret.
_AFTER = words(
    "count counts length len min max limit limits size type types kind name names id ids ttl expires expiry expiration "
    "expired lifetime age policy strength required optional enabled disabled valid invalid present exists field fields "
    "label labels format version algorithm alg url uri endpoint path file filename folder dir usage used remaining total "
    "budget rate cost per at in on until since created updated changed rotated rotation regex pattern rule rules error "
    "errors message messages class style prefix suffix domain samesite secure httponly timeout index offset position start "
    "end line column method methods scheme schemes provider header headers mode status state scope scopes audience issuer "
    "reset hint source store storage manager helper service handler arn ref placeholder set sock socket santa"
)
# Before the word: a count, or a yes or no.
_BEFORE = words("has is no requires require needs use uses allow allows show hide enable disable forgot forget max min num total count")
_BEFORE_TOKEN = words(
    "n input output prompt completion cached cache reasoning thinking audio image text used remaining per next page "
    "pagination continuation sync cancel cancellation stop eos bos pad unk mask sep cls special added additional start end "
    "first last prev previous current unexpected expected invalid subword lexer parser max"
)
_OF_COIN = words("address addresses contract symbol decimals mint")  # a token that is traded
STRONG = frozenset({"password", "secret", "api-key", "private-key", "credential"})
NUMBERS = frozenset({"password", "pin", "otp", "cvv", "ssn", "card", "phone", "national-id", "account"})
# Under these a short number is a count (``{"web": 300, "mobile": 250}``).
LONG_NUMBERS = frozenset({"phone", "national-id", "account"})
# Below a secret name, what these name is about the secret.
ABOUT = words("type kind typ alg algorithm scheme method count length format encoding status version provider issuer scope scopes")
# Behind the name of a service these make a key of what looks random; beside these words it is no secret.
SERVICE = words("key keys pat api private access")
PUBLIC = words("public publishable primary foreign sort partition cache object row index")
# In a URL's query these count too; elsewhere they are ordinary words.
QUERY_ONLY = {"sig": "signature", "signature": "signature", "key": "api-key", "code": "token"}


def segments(name: str) -> list[str]:
    """The lower-case words of a name."""
    if not name.isascii():
        name = "".join(c for c in unicodedata.normalize("NFKD", name.translate(_LETTERS)) if not unicodedata.combining(c))
    return [part.lower() for part in compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+").findall(name)]


@lru_cache(maxsize=65_536)
def kind_of_name(name: str) -> str | None:
    """The kind of secret that a name announces, or None."""
    if name in {"PWD", "OLDPWD"}:  # the working directory
        return None
    parts = segments(name[-LONGEST_NAME:])
    for first in reversed(range(len(parts))):
        for width in (3, 2, 1):
            word = "".join(parts[first : first + width])
            kind = WORDS.get(word) or (_ending(word) if width == 1 else None)
            if kind and not _qualified(kind, parts[:first], parts[first + width :]):
                return kind
    return "service-key" if _of_service(parts) else None if name.isascii() else _in_another_script(name)


def _in_another_script(name: str) -> str | None:
    """The whole name, one of its words, or the end of it where words have no blanks between them."""
    from redaction.detectors.abroad import KINDS_ABROAD, UNSPACED

    whole = plain_letters(name[-LONGEST_NAME:])
    kind = KINDS_ABROAD.get(whole) or next((KINDS_ABROAD[one] for one in UNSPACED if whole.endswith(one)), None)
    parts = (plain_letters(part) for part in re.split(r"[\W\d_]+", name) if not part.isascii())
    return kind or next((KINDS_ABROAD[part] for part in parts if part in KINDS_ABROAD), None)


def _of_service(parts: list[str]) -> bool:
    """``algolia_key``, ``algoliaKey``, ``algoliakey``."""
    if not parts or not PUBLIC.isdisjoint(parts):
        return False
    if parts[-1] in SERVICE:
        return names_vendor(parts[:-1])
    return parts[-1].endswith("key") and parts[-1][:-3] in VENDORS


def names_vendor(parts: list[str]) -> bool:
    """Whether one segment, or two or three that stand side by side, are the name of a service."""
    return any("".join(parts[first : first + width]) in VENDORS for first in range(len(parts)) for width in (1, 2, 3))


def _ending(word: str) -> str | None:
    return next((kind for ending, kind in ENDINGS.items() if word.endswith(ending)), None) if word.endswith(_ENDINGS) else None


def _qualified(kind: str, before: list[str], after: list[str]) -> bool:
    if any(part in _AFTER for part in after):
        return True
    if kind == "token" and not _OF_COIN.isdisjoint(after):
        return True
    if kind == "token" and not _BEFORE_TOKEN.isdisjoint(before[-1:]):  # the word right before it: `CACHE_AUTH_TOKEN` is one
        return True
    return any(part in _BEFORE for part in before)


def kind_of_query(name: str) -> str | None:
    """The same for a name in a URL's query, where signatures and bare keys count."""
    kind = kind_of_name(name)
    if kind is None:
        last = re.split(r"[-_.]", name.lower())[-1]
        kind = QUERY_ONLY.get(last)
    return kind


def kind_of_pointer(pointer: str) -> str | None:
    """The kind that a JSON pointer announces: any of its steps may name a secret."""
    steps = (step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/"))
    kinds = [kind for step in steps if (kind := kind_of_name(step))]
    return kinds[-1] if kinds else None
