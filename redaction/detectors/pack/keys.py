"""Keys and hashes that belong to no vendor."""

from __future__ import annotations

from redaction.detectors.rule import LEFT, RIGHT, Rule, rule

_PEM = (
    r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"[^-]*+(?:-(?!----END )[^-]*+)*+(?:-----END (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----)?"
)
_PEM_EXAMPLE = "-----BEGIN RSA PRIVATE KEY-----\n{base:64}\n{base:64}\n{base:22}==\n-----END RSA PRIVATE KEY-----"
_SSH2 = r"---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----[^-]*+(?:-(?!--- END )[^-]*+)*+(?:---- END SSH2 (?:ENCRYPTED )?PRIVATE KEY ----)?"
_PUTTY = r"PuTTY-User-Key-File-[0-9]:[\s\S]*+"
_JWT = r"eyJ[A-Za-z0-9_-]{8,1024}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+){0,3}+"
# How base64 of a private key begins: OpenSSH, PKCS#8 (RSA, EC, Ed25519), PKCS#1, SEC 1.
_BODY = (
    r"(?<![A-Za-z0-9])(?:b3BlbnNzaC1rZXktdjEA|MII[A-Za-z0-9+/]{2}[AQgw]IBADANBgkqhkiG9w0BAQEFAAS|MI[GH][A-Za-z0-9+/]AgEAMB[A-Za-z0-9+/]{2}ByqGSM49"
    r"|MC4CAQAwBQYDK2Vw|MII[A-Za-z0-9+/]{2}[AQgw]IBAAK[BC]|MHcCAQEEI)[A-Za-z0-9+/_-]{8,}+"
    r"(?:(?:\\[nr]|\s){1,8}+[A-Za-z0-9+/_-]{40,}+)*+(?:(?:\\[nr]|\s){1,8}+[A-Za-z0-9+/_-]{1,76}+={1,2})?={0,2}"
)
_CRYPT = (
    r"\$(?:2[abxy]\$[0-9]{2}\$[A-Za-z0-9./]{40,53}|apr1\$[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{16,22}"
    r"|[1568]\$(?:rounds=[0-9]{1,9}\$)?[A-Za-z0-9./]{1,32}\$[A-Za-z0-9./]{16,86}|(?:y|gy|7)\$[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./$]{30,130}"
    r"|argon2(?:id|i|d)\$[A-Za-z0-9$,=+/._-]{40,400}|s(?:crypt|0)\$[A-Za-z0-9$,=+/._-]{40,400}|pbkdf2[a-z0-9-]{0,12}\$[A-Za-z0-9$,=+/._-]{30,400}"
    r"|[PH]\$[A-Za-z0-9./]{31}|S\$[A-Za-z0-9./]{52}|krb5[a-z]{2,8}\$[0-9]{1,2}\$[A-Za-z0-9$*:@./_-]{40,8192})"
)
_FRAMEWORK = r"(?:pbkdf2_sha(?:1|256|512)|pbkdf2:sha(?:1|256|512)|scrypt:[0-9]{1,9}|bcrypt_sha256|argon2)[$:][A-Za-z0-9$:,=+/._-]{40,400}"
_LDAP = r"(?:\{|(?<![A-Za-z0-9]))(?:S?SHA(?:256|384|512)?|S?MD5|SMD5|CRYPT|PBKDF2(?:-SHA(?:256|512))?)\}([A-Za-z0-9+/=$.]{20,200})"
_B58 = r"[1-9A-HJ-NP-Za-km-z]"

# fmt: off
KEYS: tuple[Rule, ...] = (
    rule("private-key", "-----BEGIN", _PEM, _PEM_EXAMPLE),
    rule("ssh-private-key", "SSH2", _SSH2,
         "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n{base:64}\n{base:40}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----"),
    rule("putty-key", "PuTTY-User-Key-File", _PUTTY, "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n{base:48}"),
    rule("key-body", "b3BlbnNzaC1rZXktdjEA IBADANBgkqhkiG9w0BAQ ByqGSM49 MC4CAQAwBQYDK2Vw IBAAK MHcCAQEEI", _BODY,
         "MHcCAQEEI{base:151}=="),
    rule("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{20,100}", "AGE-SECRET-KEY-1{upper:58}"),
    rule("jwt", "eyJ", _JWT, "eyJ{word:32}.eyJ{word:60}.{word:43}"),
    rule("password-hash", "$2a$ $2b$ $2x$ $2y$ $apr1$ $1$ $5$ $6$ $8$ $y$ $gy$ $7$ $argon2 $scrypt$ $s0$ $pbkdf2 $P$ $H$ $S$ $krb5",
         _CRYPT, "$2b$12${crypt:53}"),
    rule("framework-hash", "pbkdf2_sha pbkdf2:sha scrypt: bcrypt_sha256$ argon2$", _FRAMEWORK,
         "pbkdf2_sha256$600000${alnum:22}${base:43}="),
    rule("ldap-hash", "SHA} SHA256} SHA384} SHA512} MD5} CRYPT} {PBKDF2", _LDAP, "{SSHA}{base:38}==", 1),
    rule("wallet-key", "prv", rf"{LEFT}[xyztuv]prv{_B58}{{90,108}}{RIGHT}", "xprv9s21ZrQH143K{bitcoin:96}"),
    rule("nostr-key", "nsec1", rf"{LEFT}nsec1[02-9ac-hj-np-z]{{50,58}}{RIGHT}", "nsec1{bech:58}"),
    rule("paseto", ".local. .public.", rf"{LEFT}v[1-4]\.(?:local|public)\.[A-Za-z0-9_-]{{40,4096}}(?:\.[A-Za-z0-9_-]{{1,512}})?",
         "v4.local.{word:90}"),
)
# fmt: on
