"""Which names announce a secret."""

import pytest

from redaction.detectors.names import kind_of_name, kind_of_pointer, kind_of_query

SECRET = {
    "password": "password passwd pwd PGPASSWORD DB_PASSWORD db-password dbPassword dbpassword user.password password2 passwords passphrase "
    "password_hash password_confirmation mysql_pwd contraseña Passwort "
    "rootpw adminpw pswd storepass keypass",
    "secret": "secret client_secret clientSecret CLIENT_SECRET app-secret SECRET mnemonic shared_secret token_secret api-secret",
    "api-key": "api_key apiKey APIKey APIKEY x-api-key X-Api-Key aws_access_key_id AWS_SECRET_ACCESS_KEY secret_key accountKey signing_key "
    "SecretAccessKey secret_id stripe_key STRIPE_KEY openai_key anthropic_key",
    "private-key": "private_key privateKey ssh_private_key ssh_key tls_key",
    "credential": "credentials creds db_credentials",
    "authorization": "Authorization Proxy-Authorization HTTP_AUTHORIZATION",
    "cookie": "Cookie Set-Cookie cookies",
    "token": "token tokens access_token accessToken ID_TOKEN refresh-token authToken auth OAuthToken bearer jwt X-CSRF-Token password_reset_token",
    "session": "session_id sessionId PHPSESSID JSESSIONID sid",
    "pin": "pin PIN card_pin",
    "otp": "otp totp otp_code",
    "cvv": "cvv CVC cvv2 security_code",
    "ssn": "ssn social_security_number",
    "card": "card_number cardNumber creditCard cc_number",
}
_HARMLESS = (
    "max_tokens maxTokens input_tokens output_tokens total_tokens n_tokens completion_tokens token_type tokenType token_count token_limit "
    "token_expires_in token_url token_endpoint next_page_token nextPageToken page_token eos_token pad_token password_min_length passwordPolicy "
    "password_required has_password is_secret primary_key foreign_key sort_key partition_key public_key key keys key_id secret_name "
    "secretary tokenizer tokenize compass bypass passed passenger author authored authority pinned opinion spin secretion monkey keyboard "
    "cookie_name cookie_domain session_timeout PWD OLDPWD id name value data description user email account cart path host"
)
HARMLESS = _HARMLESS.split()


@pytest.mark.parametrize(("name", "kind"), [pytest.param(n, k, id=n) for k, names in SECRET.items() for n in names.split()])
def test_secret_names(name, kind):
    assert kind_of_name(name) == kind


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_names(name):
    assert kind_of_name(name) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("sig", "signature"),
        ("X-Amz-Signature", "signature"),
        ("key", "api-key"),
        ("code", "token"),
        ("page", None),
        ("q", None),
        ("token", "token"),
    ],
)
def test_names_in_a_query(name, kind):
    assert kind_of_query(name) == kind


@pytest.mark.parametrize(
    ("pointer", "kind"),
    [("", None), ("/a/0/b", None), ("/a/password", "password"), ("/credentials/0/user", "credential"), ("/api~1key", "api-key")],
)
def test_pointers(pointer, kind):
    assert kind_of_pointer(pointer) == kind


def test_a_very_long_name_is_cut_and_not_read_whole():
    assert kind_of_name("x" * 100_000 + "_password") == "password"
