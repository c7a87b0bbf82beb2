"""Personal data by shape, by check and by name. Each table has its harmless twin; numbers are made up, with the check that fits."""

import pytest

from redaction import BALANCED, finds, redact_text
from redaction.detectors.identities import luhn, verhoeff

HIDDEN = {
    # national numbers, in their usual form
    "aadhaar": ("id 7422 3953 7248.", "id REDACTED-national-id-1x."),
    "aadhaar beside its name": ("aadhaar no 7232-5996-7749", "aadhaar no REDACTED-national-id-1x"),
    "cpf": ("CPF 087.248.578-15 inválido", "CPF REDACTED-national-id-1x inválido"),
    "cpf alone": ('{"value":"216.970.596-19"}', '{"value":"REDACTED-national-id-1x"}'),
    "cpf without dots": ("cpf: 94114751165", "cpf: REDACTED-national-id-1x"),
    "codice fiscale": ("cf QUZSHT32C11G736D no", "cf REDACTED-national-id-1x no"),
    "nino": ("AB 52 10 72 C", "REDACTED-national-id-1x"),
    "nino beside its name": ("NI number JG333865A.", "NI number REDACTED-national-id-1x."),
    "insee": ("1 84 12 76 451 089 46", "REDACTED-national-id-1x"),
    "insee of corsica": ("NIR: 2 84 12 2A 451 089 80", "NIR: REDACTED-national-id-1x"),
    "nhs": ("NHS: 944 508 3709", "NHS: REDACTED-national-id-1x"),
    "sin": ("SIN 940-782-725", "SIN REDACTED-national-id-1x"),
    "dni": ("DNI 62702689C", "DNI REDACTED-national-id-1x"),
    "dni that ends like a nie": ("DNI 36535092Y", "DNI REDACTED-national-id-1x"),
    "nie": ("NIE: X1234567L", "NIE: REDACTED-national-id-1x"),
    "ssn with blanks": ("ssn=721 34 7386", "ssn=REDACTED-national-id-1x"),
    "passport": ("passport: C50171865\n", "passport: REDACTED-national-id-1x\n"),
    # under a name
    "date of birth": ('{"date_of_birth":"1984-09-18"}', '{"date_of_birth":"REDACTED-birth-date-1x"}'),
    "date of birth, other order": ("{'dob': '09/14/1941'}", "{'dob': 'REDACTED-birth-date-1x'}"),
    "birthday": ("birthday: 1934-08-12\n", "birthday: REDACTED-birth-date-1x\n"),
    "birthday in words": ('{"birthday":"12 August 1934"}', '{"birthday":"REDACTED-birth-date-1x"}'),
    "driver licence": ('{"drivers_license_number":"Y247198778929"}', '{"drivers_license_number":"REDACTED-national-id-1x"}'),
    "tax id": ('{"tax_id":"975-54-7154"}', '{"tax_id":"REDACTED-national-id-1x"}'),
    "number": ('{"national_id":11949207817}', '{"national_id":"REDACTED-national-id-number-1x"}'),
    "account": ('{"account_number":"4119987385"}', '{"account_number":"REDACTED-account-1x"}'),
    # cards and accounts
    "card of the second series": ("card 2221-4195-8218-8547", "card REDACTED-card-1x"),
    "card of 19 figures": ("paid 629418-7729819674799", "paid REDACTED-card-1x"),
    "maestro": ("paid 6304 7393 3268 0670", "paid REDACTED-card-1x"),
    "iban with dashes": ("iban=DE40-3664-0978-1938-3259-00", "iban=REDACTED-iban-1x"),
    # mail and phone
    "mail in another script": ("jo@bücher.example and a@x.xn--p1ai", "REDACTED-email-1x and REDACTED-email-2x"),
    "mail with quotes": ('to "jo doe"@mail.example', "to REDACTED-email-1x"),
    "mailto": ('<a href="mailto:jo@example.org">', '<a href="mailto:REDACTED-email-1x">'),
    "tel": ('<a href="tel:0301234567">', '<a href="tel:REDACTED-phone-1x">'),
    "phone under a name": ('{"tel":"089/9736072"}', '{"tel":"REDACTED-phone-1x"}'),
    "phone beside a name": ("Phone: 409 947 3569, mobile=0612345910", "Phone: REDACTED-phone-1x, mobile=REDACTED-phone-2x"),
    "phone as a number": ('{"phone":4917910896065}', '{"phone":"REDACTED-phone-number-1x"}'),
    "number of a person in a path": ("GET /v1/1%2033%2005%2037%20429%20047%2017/x", "GET /v1/REDACTED-national-id-percent-1x/x"),
    "broken under a name": ('{"ssn":"31717\\u001b[1;32m7694"}', '{"ssn":"REDACTED-ssn-1x"}'),
    "broken and encoded under a name": ('{"ssn":"31717%E2%80%8B7694"}', '{"ssn":"REDACTED-ssn-1x"}'),
    "on two lines under a name": ('{"phone":"49151\\n    90529070"}', '{"phone":"REDACTED-phone-1x"}'),
    "phone abroad": ("call 0049 30 8546938", "call REDACTED-phone-1x"),
    "phone with a one": ("call 1-707-649-4650", "call REDACTED-phone-1x"),
}
HARMLESS = {
    "three groups of four": "7422 3953 7249, 1234 5678 9012, 7422-3953-7248",
    "nine and ten figures": "id 940782725 and 944 508 3709, 940-782-725, order 9445083709",
    "cpf with another check": "216.970.596-18 111.111.111-11 1.216.970.596-19",
    "codice with another check": "QUZSHT32C11G736E ABCDEF12G34H567I",
    "letters and figures": "SKU AB123456C 62702689C X1234567L part 12345678Z",
    "dni with another check": "DNI 62702689D",
    "nhs with another check": "NHS: 944 508 3708",
    "uuid": "12345678-1234-1234-1234-123456789012 550e8400-e29b-41d4-a716-446655440000",
    "times": "2024-05-01T10:20:30+02:00 1700000000 1700000000123 2024-05-01 10:20:30.123456",
    "versions": "v1.2.3-rc.4+build.5678 1.2.3.4 10.20.30.40:8080",
    "counts": '{"web":300,"mobile":250,"fax":0,"sin":0.5,"phone":12}',
    "functions": "sin(3.14159265358) tan 0.123456789 tin cans",
    "fact about it": '{"birth_date_required":true,"passport_count":2,"tax_id_type":"12345678","phone_count":1234567}',
    "words under a name": '{"passport":"required","dob":"unknown","tax_id":null,"mobile":"yes"}',
    "bar code": "4006381333931 4799625194033",
    "decorator": "@app.route x@2x.png",
    "money": "0012 34 56 and 1,234,567.00",
    "telling": "tell 12345678, hotel: 12345678, excel=12345678",
}


@pytest.mark.parametrize(("text", "wanted"), HIDDEN.values(), ids=HIDDEN)
def test_hidden(text, wanted):
    assert redact_text(text).text == wanted
    assert finds(wanted, policy=BALANCED) == ()


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_harmless(text):
    assert redact_text(text, policy=BALANCED).text == text
    assert finds(text, policy=BALANCED) == ()


@pytest.mark.parametrize("check", [luhn, verhoeff])
def test_a_check_digit_notes_every_single_error(check):
    number = "7422395372" + {"luhn": "4", "verhoeff": "48"}[check.__name__]
    body = number if check(number) else next(number[:-1] + d for d in "0123456789" if check(number[:-1] + d))
    for at in range(len(body)):
        for digit in "0123456789":
            assert check(body[:at] + digit + body[at + 1 :]) == (digit == body[at])
