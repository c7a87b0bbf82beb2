"""Personal data: addresses, numbers with check digits, phones, and numbers that only their name gives away."""

from collections.abc import Callable
from random import Random

from benchmarks.redaction import makers
from benchmarks.redaction import values as v
from benchmarks.redaction.items import Item, rows

_CARDS = {
    "visa": ("4", 16, (4, 4, 4, 4)),
    "mastercard": ("5[p0]", 16, (4, 4, 4, 4)),
    "mastercard2": ("2221", 16, (4, 4, 4, 4)),
    "amex": ("37", 15, (4, 6, 5)),
    "discover": ("6011", 16, (4, 4, 4, 4)),
    "jcb": ("3530", 16, (4, 4, 4, 4)),
    "diners": ("36", 14, (4, 6, 4)),
    "unionpay": ("62", 16, (4, 4, 4, 4)),
    "unionpay19": ("62", 19, (6, 13)),
    "maestro": ("6304", 16, (4, 4, 4, 4)),
}
_IBANS = {
    "DE": "[d18]",
    "GB": "NWBK[d14]",
    "FR": "[d23]",
    "NL": "ABNA[d10]",
    "ES": "[d20]",
    "IT": "X[d10][d12]",
    "CH": "[d17]",
    "AT": "[d16]",
    "BE": "[d12]",
    "PL": "[d24]",
    "NO": "[d11]",
    "MT": "MALT[d5][d18]",
}


def _card(rest: str, rng: Random) -> str:
    issuer, _, glue = rest.partition(":")
    prefix, size, sizes = _CARDS[issuer]
    return v.grouped(v.card(prefix.replace("[p0]", rng.choice("12345")), size, rng), sizes, glue)


def _iban(rest: str, rng: Random) -> str:
    country, _, glue = rest.partition(":")
    number = v.iban(country, v.pattern(_IBANS[country], rng))
    return v.wrap(number, 4, glue) if glue else number


def _ssn(rest: str, rng: Random) -> str:
    area = rng.choice([a for a in range(1, 899) if a != 666])
    return rest.join([f"{area:03d}", f"{rng.randint(1, 99):02d}", f"{rng.randint(1, 9999):04d}"])


def _cpf(rest: str, rng: Random) -> str:
    number = v.cpf(rng)
    return f"{number[:3]}.{number[3:6]}.{number[6:9]}-{number[9:]}" if rest else number


def _us(rest: str, rng: Random) -> str:
    area = f"{rng.choice('23456789')}0{rng.randint(2, 9)}"
    return rest.replace("A", area).replace("X", str(rng.randint(210, 999))).replace("N", v.run("d", 4, rng))


# What follows the colon of a spec: issuer or country, and the glue between the groups of digits.
_PERSONAL: dict[str, Callable[[str, Random], str]] = {
    "card": _card,
    "iban": _iban,
    "ssn": _ssn,
    "cpf": _cpf,
    "us": _us,
    "aadhaar": lambda glue, rng: v.grouped(v.aadhaar(rng), (4, 4, 4), glue),
    "nhs": lambda glue, rng: v.grouped(v.nhs(rng), (3, 3, 4), glue),
    "sin": lambda glue, rng: v.grouped(v.sin(rng), (3, 3, 3), glue),
    "dni": lambda _glue, rng: v.dni(rng),
    "cf": lambda _glue, rng: v.codice_fiscale(rng),
}


def fill(spec: str, rng: Random) -> str:
    """The makers of this file, else those of all."""
    name, _, rest = spec.partition(":")
    return _PERSONAL[name](rest, rng) if name in _PERSONAL else makers.fill(spec, rng)


PII = {
    "email": [
        "«mail»",
        '{"email":"«mail»"}',
        '{"to":["«mail»","«mail»"]}',
        "write to «mail», please",
        "Ada Miller <«mail»> wrote:",
        "<a href='mailto:«mail»'>mail</a>",
        "mailto:«[w6]+tag@[w8].example»?subject=x",
        "ValueError: no user «[w5].[w7]@[w6].co.uk»",
        "user=«[w5]_[d3]@[w8].com» status=ok",
        "«[w5]@mail.[w6].[w5].org»",
        "«[w4]%[w3]@[w6].net»",
        '"\\"«[w5] [w5]\\"@[w6].example»"',
        "«[w5]@[w3]ü[w3].de»",
        "«[w3]é[w3]@[w6].fr»",
        "«[w5]@xn--[w3]-[w4].de»",
        "«[W1][w5].[W1][w6]@[W1][w7].COM»",
        "(«mail»)",
        "x=«mail»;y=1",
        "https://a.example/?email=«[w5]%40[w6].example»&n=1",
        "{'email': '«mail»'}",
        "From: «mail»\r\nTo: «mail»\r\n",
        "<«mail»>",
        "id,mail\n1,«mail»\n",
        "Key (email)=(«mail») already exists.",
        "«[w5]@[w6].museum»",
        "«[w1]@[w3].io»",
        "«[d6]@[w6].com»",
        "User(email='«mail»', id=3)",
    ],
    "iban": [f'{{"account":"«iban:{c}»"}}' for c in _IBANS] + [f"pay to «iban:{c}: » now" for c in _IBANS] + ["iban=«iban:DE:-»"],
    "ssn": [
        "«ssn:-»",
        '{"ssn":"«ssn:-»"}',
        "SSN: «ssn:-».",
        '{"value":"«ssn:-»"}',
        "my number is «ssn:-», thanks",
        '{"ssn":"«ssn:»"}',
        '{"social_security_number":"«ssn:»"}',
        '{"taxpayer":{"ssn":"«ssn: »"}}',
        "ssn=«ssn: »",
        "User(ssn='«ssn:-»')",
        "id,ssn\n1,«ssn:-»\n",
        "ssn: «ssn:»\n",
    ],
    "phone-international": [
        "«+1 [p1]1[d1] [d3] [d4]»",
        "call «+49 30 [p1][d6]»",
        '{"phone":"«+4917[d9]»"}',
        '{"value":"«+44 20 7[d3] [d4]»"}',
        "«+33 6 [d2] [d2] [d2] [d2]»",
        "«+49-170-[p1][d6]»",
        "tel:«+1-212-555-[d4]»",
        "<a href='tel:«+3906[p1][d7]»'>x</a>",
        "«+1 (212) 555-[d4]»",
        "«+86 138 [d4] [d4]»",
        "«+91 98[d3] [d5]»",
        "«+55 11 9[d4]-[d4]»",
        "«+41 44 [p1][d2] [d2] [d2]»",
        "«+61 4[d2] [d3] [d3]»",
        "«+81-90-[p1][d3]-[d4]»",
        "«0049 30 [p1][d6]»",
        "whatsapp://send?phone=«+4917[d9]»",
        "to=«+1212555[d4]» ok",
        '{"from":"«+4477009[d5]»","body":"x"}',
        "«+43.1.[p1][d6]»",
        "«+1.212.555.[d4]»",
        "«+7 (495) [p1][d2]-[d2]-[d2]»",
        "sms «+2547[d8]» sent",
        "(«+49 (0)89 [p1][d6]»)",
    ],
    "phone-us": [
        "call «us:(A) X-N»",
        "«us:A-X-N»",
        '{"phone":"«us:(A) X-N»"}',
        '{"value":"«us:A-X-N»"}',
        "«us:A.X.N» is my number",
        "tel: «us:1-A-X-N»",
        "«us:(A)X-N»",
        "Phone: «us:A X N»",
        '{"mobile":"«us:AXN»"}',
        "fax «us:(A) X-N» ext. 5",
    ],
    "phone-keyed": [
        '{"phone":"«030 [p1][d6]»"}',
        '{"phone_number":"«0170 [p1][d6]»"}',
        '{"mobile":"«07700 900[d3]»"}',
        '{"telephone":"«01 [d2] [d2] [d2] [d2]»"}',
        '{"phoneNumber":"«0[p1][d8]»"}',
        '{"contact":{"tel":"«089/[p1][d6]»"}}',
        '{"msisdn":"«4917[d9]»"}',
        '{"phone":«4917[d9]»}',
        "phone: «0170-[p1][d6]»\n",
        "mobile=«0612345[d3]»",
        "User(phone='«0170[p1][d6]»')",
        "<phone>«030-[p1][d6]»</phone>",
        '{"fax":"«030 [p1][d5]-0»"}',
    ],
    "national-id": [
        '{"aadhaar":"«aadhaar: »"}',
        '{"value":"«aadhaar: »"}',
        "aadhaar no «aadhaar:-»",
        '{"aadhaar_number":"«aadhaar:»"}',
        '{"nhs_number":"«nhs: »"}',
        '{"nhsNumber":"«nhs:»"}',
        "NHS: «nhs: »",
        '{"sin":"«sin: »"}',
        "SIN «sin:-»",
        '{"cpf":"«cpf:.»"}',
        "CPF «cpf:.» inválido",
        '{"cpf":"«cpf:»"}',
        '{"value":"«cpf:.»"}',
        '{"dni":"«dni»"}',
        "DNI «dni»",
        '{"codice_fiscale":"«cf»"}',
        "cf «cf» non valido",
        '{"nino":"«AB[d6]C»"}',
        '{"national_insurance_number":"«AB [d2] [d2] [d2] C»"}',
        "NI number «JG[d6]A».",
        '{"passport_number":"«C[d8]»"}',
        '{"passport":"«[W2][d7]»"}',
        '{"passportNo":"«[d9]»"}',
        '{"driver_license":"«D[d7]»"}',
        '{"drivers_license_number":"«[W1][d12]»"}',
        '{"driving_licence":"«[W5]9[d5][W2]9[W2]»"}',
        '{"tax_id":"«[d3]-[d2]-[d4]»"}',
        '{"national_id":"«[d11]»"}',
        '{"date_of_birth":"«19[d1]4-0[p1]-1[d1]»"}',
        '{"dob":"«0[p1]/1[d1]/19[d1]1»"}',
        '{"birthDate":"«19[d1]4-0[p1]-1[d1]»"}',
        "birthday: «19[d1]4-0[p1]-1[d1]»\n",
        "passport: «C[d8]»\n",
        "User(date_of_birth='«19[d1]4-0[p1]-1[d1]»')",
    ],
    "bank": [
        '{"account_number":"«[p1][d9]»"}',
        '{"bank_account":"«[p1][d9]»"}',
        '{"routing_number":"«0210000[d2]»"}',
        '{"card_number":"«[p1][d15]»"}',
    ],
}

# Person-related, but shown in many a harmless payload: what to do with these is a matter of taste.
DOUBTFUL = {
    "ip-keyed": [
        '{"client_ip":"«203.0.113.[p1][d1]»"}',
        '{"remote_addr":"«2001:db8::[h4]:[h4]»"}',
        "X-Forwarded-For: «198.51.100.[p1][d1]»",
    ],
    "name-keyed": ['{"first_name":"«word»"}', '{"lastName":"«word»"}', '{"full_name":"«[W1][w5] [W1][w6]»"}'],
    "address-keyed": ['{"street":"«[W1][w6] [W1][w5] [p1][d1]»"}', '{"address":"«[p1][d2] [W1][w6] Street»"}', '{"postal_code":"«[d5]»"}'],
    "place": ['{"latitude":«52.[d5]»,"longitude":«13.[d5]»}', '{"mac":"«[h2]:[h2]:[h2]:[h2]:[h2]:[h2]»"}'],
    "vat": ['{"vat_id":"«DE[d9]»"}', '{"ein":"«[d2]-[d7]»"}', '{"license_plate":"«[W2]-[W2] [p1][d2]»"}'],
    "unkeyed": ["passport «C[d8]»", "«0170 [p1][d6]»", "born «0[p1]/1[d1]/19[d1]1»", "id «dni»"],
    "wallet": ['{"wallet":"«0x[h40]»"}', "«bc1q[a38]»", "«1[A33]»"],
    "health": ['{"diagnosis":"«[W1][d2].[d1]»"}', '{"medical_record_number":"«[d8]»"}', '{"mrn":"«[d7]»"}'],
}


def items(rng: Random) -> list[Item]:
    made = []
    for issuer in _CARDS:
        carriers = ['{"n":"«card:%s»"}', "paid with «card:%s: ».", "card «card:%s:-» expired", '{"card_number":«card:%s»}']
        made += rows("pii", f"card-{issuer}", [c % issuer for c in carriers], rng, fill)
    for kind, templates in PII.items():
        made += rows("pii", kind, templates, rng, fill)
    for kind, templates in DOUBTFUL.items():
        made += rows("pii-doubtful", kind, templates, rng, fill)
    return made
