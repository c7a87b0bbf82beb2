"""Passwords that single programs take by a letter or by place.

    mysql -p..   sshpass -p ..   redis-cli -a ..   ldapsearch -w ..   openssl -passin pass:..   smbclient -U user%..

Each program is data: its names, and what stands before the value. Options that announce themselves (``--password``) are names like any
other; ``curl -u`` is with them, in ``redaction.detectors.assignments``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.values import value_spans
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redaction.types import Span

# What separates words: blanks; or quotes and commas, where a program gets its words as a list.
_GAP = r"[ \t\"',]{1,6}"
_VALUE = r"(?:\"(?P<v>[^\"\n]{1,256})\"|'(?P<w>[^'\n]{1,256})'|(?P<x>[^\s\"'`,;|&<>$-][^\s\"'`,;|&<>]{0,255}))"
_BETWEEN = r"[^\n|;&]{0,160}?"
_LAST = r"(?=\S{1,256}[\"']?[ \t]*(?:$|[\n|;&>]))"
# Programs, and the option with all that stands between it and the value.
_OPTIONS = (
    ("mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mariadb mariadb-dump mycli", r"-p"),
    ("7z 7za 7zr rar unrar", r"-h?p"),
    ("sshpass", rf"-p(?:{_GAP})?"),
    ("redis-cli keydb-cli valkey-cli", rf"(?:-a{_GAP}|(?i:auth){_GAP}(?:default{_GAP})?)"),
    ("docker podman nerdctl helm oras crane buildah skopeo", rf"login\b[^\n|;&]{{0,160}}?{_GAP}-p{_GAP}"),
    ("az", rf"login\b[^\n|;&]{{0,160}}?{_GAP}-p{_GAP}"),
    ("mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat", rf"-p{_GAP}"),
    ("psexec psexec64 evil-winrm useradd usermod crackmapexec nxc cf oc", rf"-p{_GAP}"),
    ("ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldapcompare ldapmodrdn", rf"-w{_GAP}"),
    ("ldappasswd", rf"-[was]{_GAP}"),
    ("openssl", rf"(?:-(?:pass|passin|passout|passwd){_GAP}pass:|-k{_GAP})"),
    ("zip unzip sqlcmd bcp osql isql mosquitto_pub mosquitto_sub ipmitool impacket cqlsh", rf"-P{_GAP}"),
    ("snmpwalk snmpget snmpset snmpbulkwalk snmptrap", rf"-A{_GAP}"),
    ("snmpwalk snmpget snmpset snmpbulkwalk snmptrap", rf"-X{_GAP}"),
    ("curl", rf"-[a-zA-Z]{{0,6}}u{_GAP}?[^\s:\"'-][^\s:\"']{{0,63}}:"),
    ("cqlsh psftp plink pscp putty", rf"-(?:p|pw){_GAP}"),
    ("smbclient rpcclient smbmap smbget net nmblookup winexe pth-winexe", rf"-U{_GAP}?[^\s%\"',]{{1,64}}%"),
    ("http https xh", rf"(?:-a|--auth){_GAP}[^\s:\"'-][^\s:\"']{{0,63}}:"),
    ("hydra medusa cadaver", rf"-p{_GAP}"),
    ("mysqladmin", rf"password{_GAP}"),
    ("vault", rf"login{_GAP}(?=[^\s\"'-]{{8}})"),
    ("wmic runas cmdkey schtasks sc net winrs", r"/(?:password|pass|pwd|rp|p)(?::|[ \t]{1,2})"),
    ("lftp", rf"-u{_GAP}?[^\s,\"']{{1,64}},"),
    ("ssh-keygen", rf"-[NP]{_GAP}"),
    ("keytool jarsigner", rf"-(?:store|key|src|dest)\w{{0,8}}pass{_GAP}"),
    ("xfreerdp wfreerdp xfreerdp3 rdesktop mstsc", rf"(?:/p:|-p{_GAP})"),
    ("vncviewer x11vnc vncpasswd", rf"-passwd{_GAP}"),
    (
        "htpasswd",
        rf"-\w{{0,4}}b\w{{0,4}}{_GAP}(?:-\w{{1,3}}{_GAP}){{0,3}}(?:[^\s\"'-]\S{{0,128}}{_GAP}){{1,2}}?{_LAST}",
    ),
    ("rabbitmqctl", rf"(?:add_user|change_password|authenticate_user){_GAP}[^\s\"']{{1,64}}{_GAP}"),
    ("wpa_passphrase", rf"(?:[^\s\"']{{1,64}}|\"[^\"\n]{{1,64}}\"){_GAP}"),
    ("rclone", rf"obscure{_GAP}"),
    ("nmcli", rf"password{_GAP}"),
    ("net", rf"use{_GAP}[^\n|;&]{{0,120}}?/user:\S{{1,64}}[ \t]{{1,4}}"),
    ("net", rf"use{_GAP}(?:[a-zA-Z*]:?{_GAP})?\\\\\S{{1,120}}[ \t]{{1,4}}(?=\S{{1,256}}[ \t]{{1,4}}/)(?!/)"),
    ("net", rf"user{_GAP}[^\s/]{{1,64}}{_GAP}(?=[^\s/*])"),
    ("kinit", r"[^\n|;&<]{0,120}<<<[ \t]{0,4}"),
)
# What feeds a program through a bar.
_FED = (
    rf"(?<![\w-])(?:echo|printf)[ \t]{{1,4}}(?:-n[ \t]{{1,4}})?(?:['\"]%s(?:\\n)?['\"][ \t]{{1,4}})?{_VALUE}[ \t]{{0,4}}\|[ \t]{{0,4}}"
    r"(?:sudo[ \t]{1,4}(?:-\w{1,8}[ \t]{1,4}){0,3}?-\w{0,6}S|kinit|cryptsetup|passwd[ \t]{1,4}--stdin|gpg[^\n|;&]{0,80}--passphrase-fd"
    r"|(?:docker|podman|helm|gh|oras|crane)[^\n|;&]{0,120}(?:--password-stdin|--with-token))"
)
_ORACLE = (
    r"(?<![\w-])(?:sqlplus|exp|imp|expdp|impdp|sqlldr|rman|tnsping|connect|conn|userid=|user|-logon)[ \t=]{0,4}(?:-\w{1,8}[ \t]{1,4}){0,3}"
    r"[\w$#]{1,64}/(?P<x>[^\s\"'@/]{2,256})(?=@|[ \t]+as[ \t]+sysdba)"
)
_LINES = (
    ("auth", rf"(?m)^[ \t]{{0,16}}masterauth[ \t]{{1,8}}{_VALUE}[ \t]*\r?$"),
    ("requirepass", rf"(?m)^[ \t]{{0,16}}requirepass[ \t]{{1,8}}{_VALUE}[ \t]*\r?$"),
    (
        "chpasswd",
        r"(?<![\w-])echo[ \t]{1,4}[\"']?[\w.-]{1,64}:(?P<x>[^\s\"'|$]{1,256})[\"']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd",
    ),
    ("|", _FED),
    ("@", _ORACLE),
    ("sysdba", _ORACLE),
)
_WORDS = frozenset(
    ["option", "options", "flag", "flags", "password", "passwords", "argument", "parameter", "switch", "prompt", "or", "and", "to", "is"]
)


def options(text: str) -> Iterator[Span]:
    """Every such password in the text."""
    lower = text.lower()
    for programs, option in _OPTIONS:
        names = [name for name in programs.split() if name in lower]
        if names:
            pattern = rf"(?<![\w.-])(?:{'|'.join(names)})(?:\.exe)?[\"']?(?=[ \t,]){_BETWEEN}{_GAP}{option}{_VALUE}"
            for match in compiled(pattern).finditer(text):
                yield from _parts(match.group(match.lastgroup or "x"), match.start(match.lastgroup or "x"))
    for sign, pattern in _LINES:
        if sign not in lower:
            continue
        for match in compiled(pattern).finditer(text):
            yield from _parts(match.group(match.lastgroup or "x"), match.start(match.lastgroup or "x"))


def _parts(value: str, start: int) -> Iterator[Span]:
    bare = value.rstrip(")]}") if value[-1:] in ")]}" and not any(sign in value for sign in "([{") else value
    if bare.lower() in _WORDS or bare.startswith(("$", "env:", "file:", "fd:", "/dev/", "<")):
        return
    yield from value_spans("password", bare, start)
