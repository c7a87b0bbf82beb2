"""Tokens that their own form gives away, in surroundings that say nothing: every vendor's in two carriers, taken in turn."""

from random import Random

from benchmarks.redaction import makers, vendors
from benchmarks.redaction.items import Item, rows

# `@` stands for the token. No name here says that a secret follows: that is what the keyed rows are for.
CARRIERS = {
    "json": '{"id":«~n»,"value":"@","at":"«~time»"}',
    "json-nested": '{"items":[{"kind":"«~word»","content":{"text":"@"}}],"total":«~n»}',
    "prose": "Please try again with @ and tell me if «~word» still fails.",
    "prose-end": "It works for me with @.",
    "log": "«~time» INFO [worker-3] sending @ to «~host» took «~n» ms",
    "error": "ValueError: could not use '@' for «~word»",
    "python": 'client = Client("@", retries=3)',
    "python-repr": "{'name': '«~word»', 'value': '@', 'n': «~n»}",
    "shell": "curl -s https://«~host»/v1/items -d x=@",
    "env": "«~word»_VALUE=@\nDEBUG=0\n",
    "yaml": "name: «~word»\nvalue: @\nreplicas: 3\n",
    "list": '["«~word»", "@", null, 3]',
    "parenthesis": "unexpected input (@), «~n» bytes",
    "markdown": "| name | value |\n|---|---|\n| «~word» | `@` |\n",
    "xml": "<item id='«~n»'><v>@</v></item>",
    "glued": "x_@",
    "alone": "@",
    "line-end": "«~word»\n@\n«~word»",
    "csv": "«~n»,«~word»,@,«~time»",
    "assignment": "x = '@'  # «~word»",
}


def items(rng: Random) -> list[Item]:
    """Two carriers for each vendor. Glued carriers only make sense for tokens that begin with a letter or digit and a rare prefix."""
    made = []
    names = [name for name in CARRIERS if name != "glued"]
    for at, (vendor, spec) in enumerate(sorted(vendors.PREFIXED.items())):
        group = "prefixed-loose" if vendor in vendors.LOOSE else "prefixed"
        chosen = [CARRIERS[names[(2 * at + turn * 7) % len(names)]] for turn in range(2)]
        made += rows(group, vendor, [carrier.replace("@", f"«{spec}»") for carrier in chosen], rng, makers.fill)
    for vendor in ("github-pat", "aws-id", "google-api", "slack-bot", "stripe-live", "anthropic-api", "gitlab-pat", "sendgrid"):
        made += rows("prefixed", f"glued-{vendor}", [CARRIERS["glued"].replace("@", f"«{vendors.PREFIXED[vendor]}»")], rng, makers.fill)
    for kind in ("rsa", "pkcs8", "ec", "dsa", "openssh", "encrypted", "pgp", "ssh2"):
        made += _keys(kind, rng)
    return made


def _keys(kind: str, rng: Random) -> list[Item]:
    def fill(spec: str, rng: Random) -> str:
        key = makers.pem(kind, rng)
        if spec == "pem":
            return key
        if spec == "escaped":
            return key.replace("\n", "\\n")
        if spec == "crlf":
            return key.replace("\n", "\r\n")
        if spec == "indented":
            return key.replace("\n", "\n    ")
        return makers.fill(spec, rng)

    templates = [
        "«pem»\n",
        '{"name":"«~word»","content":"«escaped»\\n"}',
        "data: |\n    «indented»\nother: «~n»\n",
        "log «~time»\n«crlf»\r\ndone",
    ]
    return rows("prefixed", f"pem-{kind}", templates[:1] if kind == "ssh2" else templates, rng, fill)
