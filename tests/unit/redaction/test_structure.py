"""The structured pass: edits inside strings, keys too, and nothing else of a JSON text changes."""

import json

import pytest

from redaction import BALANCED, redact_text

HIDDEN = {
    "value": ('{"password":"hunter2","user":"jo"}', '{"password":"REDACTED-password-1x","user":"jo"}'),
    "white space stays": ('{ "password" :\n "hunter2" }', '{ "password" :\n "REDACTED-password-1x" }'),
    "duplicate keys": ('{"password":"a1","password":"b1"}', '{"password":"REDACTED-password-1x","password":"REDACTED-password-2x"}'),
    "all strings below": (
        '{"credentials":{"u":"a","l":["b",["c"]]}}',
        '{"credentials":{"u":"REDACTED-credential-1x","l":["REDACTED-credential-2x",["REDACTED-credential-3x"]]}}',
    ),
    "but facts about it": ('{"credentials":{"type":"basic","pw":"b1"}}', '{"credentials":{"type":"basic","pw":"REDACTED-password-1x"}}'),
    "sibling after": ('{"password":{"a":"x1"},"b":"x2"}', '{"password":{"a":"REDACTED-password-1x"},"b":"x2"}'),
    "pin": ('{"pin":1234,"n":1234}', '{"pin":"REDACTED-pin-number-1x","n":1234}'),
    "pin of both types": ('[{"pin":1234},{"pin":"1234"}]', '[{"pin":"REDACTED-pin-number-1x"},{"pin":"REDACTED-pin-plain-1x"}]'),
    "number password": ('{"password":123456}', '{"password":"REDACTED-password-number-1x"}'),
    "key": ('{"jo@example.org":1}', '{"REDACTED-email-1x":1}'),
    "two keys": ('{"a@example.org":1,"b@example.org":1}', '{"REDACTED-email-1x":1,"REDACTED-email-2x":1}'),
    "name and value": ('{"name":"password","value":"a1b2"}', '{"name":"password","value":"REDACTED-password-1x"}'),
    "value and name": ('{"value":"a1b2","name":"password"}', '{"value":"REDACTED-password-1x","name":"password"}'),
    "k and v": ('{"k":"password","v":"a1b2"}', '{"k":"password","v":"REDACTED-password-1x"}'),
    "json web key": (
        '{"d":"abc","kty":"EC","x":"def","y":"ghi"}',
        '{"d":"REDACTED-private-key-1x","kty":"EC","x":"def","y":"ghi"}',
    ),
    "symmetric web key": ('{"kty":"oct","k":"abc"}', '{"kty":"oct","k":"REDACTED-private-key-1x"}'),
    "header pair": ('[["X-Api-Key","a1"],["Accept","*"]]', '[["X-Api-Key","REDACTED-api-key-1x"],["Accept","*"]]'),
    "authorization pair": ('["Authorization","Bearer a"]', '["Authorization","Bearer REDACTED-authorization-1x"]'),
    "command line": ('["db","--password","hunter2","-v"]', '["db","--password","REDACTED-password-1x","-v"]'),
    "dict tag": ('{"!dict":[["password","a"],[1,"b"]]}', '{"!dict":[["password","REDACTED-password-1x"],[1,"b"]]}'),
    "dict tag with a tree": ('{"!dict":[["password",{"a":"b"}]]}', '{"!dict":[["password",{"a":"REDACTED-password-1x"}]]}'),
    "bytes tag": ('{"password":{"!bytes":"a\\\\x00b"}}', '{"password":{"!bytes":"REDACTED-password-1x"}}'),
    "object tag": ('{"!object":["pkg.Config",{"password":"a"}]}', '{"!object":["pkg.Config",{"password":"REDACTED-password-1x"}]}'),
    "code points": ('{"password":{"!str":[97,55357,56832]}}', '{"password":{"!str":"REDACTED-password-codes-1x"}}'),
    "code points with a mailbox": (
        json.dumps({"x": {"!str": [ord(c) for c in "jo@example.org\ud83d\ude00"]}}, separators=(",", ":")),
        '{"x":{"!str":"REDACTED-email-codes-1x"}}',
    ),
    "json in a string": (
        r'"{\"password\":\"a1\",\"pin\":1234}"',
        r'"{\"password\":\"REDACTED-password-1x\",\"pin\":\"REDACTED-pin-number-2x\"}"',
    ),
    "json in json in a string": (
        json.dumps(json.dumps(json.dumps({"pin": 1234}))),
        json.dumps(json.dumps(json.dumps({"pin": "REDACTED-pin-number-1x"}))),
    ),
    "query in a string": ('{"u":"https://h/?a=1&token=b"}', '{"u":"https://h/?a=1&token=REDACTED-token-1x"}'),
    "escaped name": ('{"\\u0070assword":"a1"}', '{"\\u0070assword":"REDACTED-password-1x"}'),
    "name with an invisible character": ('{"pass\\u200bword":"a1"}', '{"pass\\u200bword":"REDACTED-password-1x"}'),
    "value with escapes": ('{"password":"a\\u0301\\n\\"b"}', '{"password":"REDACTED-password-1x"}'),
    "known number in a string": (
        r'{"password":"87654321","x":"[87654321]"}',
        r'{"password":"REDACTED-password-1x","x":"[\"REDACTED-password-number-1x\"]"}',
    ),
    "invisible password": ('{"password":"\\u0000"}', '{"password":"REDACTED-password-1x"}'),
    "passphrase": ('{"passphrase":"correct horse battery staple"}', '{"passphrase":"REDACTED-password-1x"}'),
    "scheme word stays": ('{"Authorization":"Basic am86cHc="}', '{"Authorization":"Basic REDACTED-authorization-1x"}'),
    "cookie attributes stay": ('{"Set-Cookie":"a=b; HttpOnly; Path=/"}', '{"Set-Cookie":"a=REDACTED-cookie-1x; HttpOnly; Path=/"}'),
    "a whole string": ('"jo@example.org"', '"REDACTED-email-1x"'),
    "exc.msg": (
        '"bad login for jo@example.org, password=\\"x1\\""',
        '"bad login for REDACTED-email-1x, password=\\"REDACTED-password-2x\\""',
    ),
    "outcome": ('{"returned":{"token":"abc123def"}}', '{"returned":{"token":"REDACTED-token-1x"}}'),
    "a weaker name inside": (
        '{"passwords":{"mobile":"a1","web":"b1"}}',
        '{"passwords":{"mobile":"REDACTED-password-1x","web":"REDACTED-password-2x"}}',
    ),
    "a token inside a secret": ('{"secret":{"token":"correct horse battery"}}', '{"secret":{"token":"REDACTED-secret-1x"}}'),
    "a pin inside credentials": (
        '{"credentials":{"pin":1234,"token":5555}}',
        '{"credentials":{"pin":"REDACTED-pin-number-1x","token":5555}}',
    ),
    "pairs in a list": ('[["user","a"],["password","xY3!abcd"]]', '[["user","a"],["password","REDACTED-password-1x"]]'),
    "a tuple": ('{"!tuple":["password","xY3!abcd"]}', '{"!tuple":["password","REDACTED-password-1x"]}'),
    "json patch": (
        '[{"op":"replace","path":"/user/password","value":"a1"}]',
        '[{"op":"replace","path":"/user/password","value":"REDACTED-password-1x"}]',
    ),
    "audit": (
        '{"field":"password","old":"a1","new":"b1"}',
        '{"field":"password","old":"REDACTED-password-1x","new":"REDACTED-password-2x"}',
    ),
    "a passphrase of common words": ('{"passphrase":"to be or not to be"}', '{"passphrase":"REDACTED-password-1x"}'),
    "known in capitals": ('{"password":"abc-1234","x":"ABC-1234"}', '{"password":"REDACTED-password-1x","x":"REDACTED-password-2x"}'),
    "known number": ('{"password":"87654321","n":87654321}', '{"password":"REDACTED-password-1x","n":"REDACTED-password-number-1x"}'),
}
UNTOUCHED = {
    "null, empty, booleans": '{"password":null,"token":"","secret":true,"api_key":[],"credentials":{},"pin":false}',
    "counts": '{"max_tokens":100,"input_tokens":"20","password_min_length":8,"token_type":"bearer","primary_key":"id"}',
    "numbers": '{"token":1234,"secret":1.0,"api_key":-0.0,"session_id":12345}',
    "short numbers": '{"password":0,"pin":1,"otp":12}',
    "literals": '{"password":NaN,"secret":-Infinity,"n":1.0,"m":1,"k":1e5,"big":' + "9" * 5000 + "}",
    "tokens of a parser": '{"token":"NAME","tokens":["select","*","from"],"auth":"basic"}',
    "validation errors": '{"errors":{"password":["This field may not be blank."]},"password":"must not be empty"}',
    "schema": '{"properties":{"password":{"type":"string","format":"password"}}}',
    "pairs of words": '[["password","Password"],["token","Token"]]',
    "a path that is none of a patch": '{"path":"/etc/password/x.html","value":"a"}',
    "a fetch option": '{"credentials":"include","auth":"oauth2"}',
    "letters as names": '{"d":"abc","k":"def","p":1,"v":"ghi"}',
    "list of names": '["password","token"]',
    "field names": '{"field":"password","code":"too_short"}',
    "ids": '{"id":"550e8400-e29b-41d4-a716-446655440000","session_id":"550e8400-e29b-41d4-a716-446655440000","commit":"7f9c2ba4e88f827d616045507605853ed73b8093"}',
    "times": '{"at":"2024-05-01T10:20:30+02:00","epoch":1700000000,"ms":"1700000000123"}',
    "unicode": '{"a":"caf\\u00e9","b":"cafe\\u0301","c":"\\ud800"}',
    "placeholders": '{"password":"REDACTED-password-1x","pin":"REDACTED-pin-number-2x"}',
    "code points": '{"!str":[104,55357,56832]}',
    "deep": "[" * 20_000 + "]" * 20_000,
}


@pytest.mark.parametrize(("text", "wanted"), HIDDEN.values(), ids=HIDDEN)
def test_hidden(text, wanted):
    json.loads(text)
    assert redact_text(text).text == wanted
    json.loads(wanted)
    assert redact_text(wanted, policy=BALANCED).text == wanted


@pytest.mark.parametrize("text", UNTOUCHED.values(), ids=UNTOUCHED)
def test_untouched(text):
    assert redact_text(text, policy=BALANCED).text == text


@pytest.mark.parametrize(
    "text", ['{"password":"a1"', '{"password":"a1"} x', '{"password" "a1"}', '["a",]', '{"a":1,}', "[1 2]", '{"a"}', "{]", '"a" "b"', "[}"]
)
def test_what_is_no_json_goes_through_the_text_pass(text):
    out = redact_text(text).text
    assert "a1" not in out or '"password" "a1"' in text
