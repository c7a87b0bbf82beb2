"""Keys without a shape of their own, beside the name of a service. Each table has its harmless twin."""

import pytest

from redaction import BALANCED, redact_text
from redaction.detectors.names import kind_of_name

HEX = "951bc382db9abad29c68634761dd6e19"
HIDDEN = {
    "name": (f"algolia_key={HEX}", "algolia_key=REDACTED-service-key-1x"),
    "camel case": (f'{{"algoliaKey": "{HEX}"}}', '{"algoliaKey": "REDACTED-service-key-1x"}'),
    "small letters": (f"uclassifykey = {HEX}", "uclassifykey = REDACTED-service-key-1x"),
    "figures in the name": (f"d7networkKEY {HEX}", "d7networkKEY REDACTED-service-key-1x"),
    "two words": (f"currency_layer_key: {HEX}", "currency_layer_key: REDACTED-service-key-1x"),
    "said": (f"datadog SECRET {HEX}", "datadog SECRET REDACTED-service-key-1x"),
    "dashes": (f"mediastack-access-key-{HEX}", "mediastack-access-key-REDACTED-service-key-1x"),
    "glued": (f"weatherbitKEY {HEX}", "weatherbitKEY REDACTED-service-key-1x"),
    "two words for it": (f"browshot PRIVATE TOKEN {HEX}", "browshot PRIVATE TOKEN REDACTED-service-key-1x"),
    "uuid": (
        "bugsnag private-key 123e4567-e89b-12d3-a456-426614174000",
        "bugsnag private-key REDACTED-service-key-1x",
    ),
    "comment in code": (f"# config.facebook.key = '{HEX}'", "# config.facebook.key = 'REDACTED-service-key-1x'"),
    "end of a sentence": (f"The datadog key is not: key {HEX}.", "The datadog key is not: key REDACTED-service-key-1x."),
    "long": (f"datadog token {HEX * 9}", "datadog token REDACTED-service-key-1x"),
}
HARMLESS = {
    "no service": f"cache_key={HEX} etag key {HEX}",
    "public": f"stripe_public_key={HEX} google publishable key {HEX}",
    "words": "datadog key concepts, datadog_key=production, cloudflare token validation-endpoint",
    "number": "asana_key = 8195513847023883",
    "date": "datadog key 2024-05-01T10:20:30 20240501T102030Z github key version-2024-05-01",
    "issue": '{"jira_key":"PROJ-123","linear_key":"ENG-4567"}',
    "far away": f"datadog reports that the monitor named latency was muted for the key {HEX}",
    "service alone": f"github {HEX} sentry release {HEX}",
    "reference": "datadog_key=${DATADOG_KEY} algolia key: REDACTED-service-key-1x",
    "object of a database": "mongodb key: 507f1f77bcf86cd799439011",
}


@pytest.mark.parametrize(("text", "wanted"), HIDDEN.values(), ids=HIDDEN)
def test_hidden(text, wanted):
    assert redact_text(text).text == wanted
    assert redact_text(wanted, policy=BALANCED).text == wanted


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_harmless(text):
    assert redact_text(text, policy=BALANCED).text == text


@pytest.mark.parametrize("name", ["algolia_key", "ALGOLIA_PRIVATE", "algoliaKey", "algoliakey", "x.algolia.pat", "sendgrid-api"])
def test_names_of_services(name):
    assert kind_of_name(name) == "service-key"


@pytest.mark.parametrize("name", ["algolia_id", "algolia", "algolia_public_key", "foo_key", "monkey", "keyalgolia", "key"])
def test_other_names(name):
    assert kind_of_name(name) is None
