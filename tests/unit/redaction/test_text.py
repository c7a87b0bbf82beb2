"""The text pass: names with values, header lines, addresses, personal data. Each table has its harmless twin."""

import base64

import pytest

from redaction import BALANCED, finds, redact_text

HIDDEN = {
    # names with a value
    "env": ("DB_PASSWORD=hunter2", "DB_PASSWORD=REDACTED-password-1x"),
    "env with commas": ("API_KEY=a,b;c{d", "API_KEY=REDACTED-api-key-1x"),
    "env of two lines": ("A=1\nTOKEN=abc123xyz\nB=2", "A=1\nTOKEN=REDACTED-token-1x\nB=2"),
    "export": ("export SECRET=s3", "export SECRET=REDACTED-secret-1x"),
    "ini": ("password = s3cr3t!", "password = REDACTED-password-1x"),
    "yaml": ("user: jo\npassword: correcthorse\nport: 1", "user: jo\npassword: REDACTED-password-1x\nport: 1"),
    "sentence": ("login failed, password: hunter2x, user: jo", "login failed, password: REDACTED-password-1x, user: jo"),
    "keyword argument": ("Config(user='jo', password='hunter2', port=1)", "Config(user='jo', password='REDACTED-password-1x', port=1)"),
    "dict repr": ("{'api_key': 'k1', 'n': 1}", "{'api_key': 'REDACTED-api-key-1x', 'n': 1}"),
    "json in a log": ('sent {"password": "a\\"b", "n": 1} ok', 'sent {"password": "REDACTED-password-1x", "n": 1} ok'),
    "escaped json in a log": (r"sent {\"password\": \"hunter2\"}", r"sent {\"password\": \"REDACTED-password-1x\"}"),
    "bytes repr": ("secret=b'abc'", "secret=b'REDACTED-secret-1x'"),
    "subscript": ("d['password'] = 'x1'", "d['password'] = 'REDACTED-password-1x'"),
    "form": ("user=jo&password=abc&x=1", "user=jo&password=REDACTED-password-1x&x=1"),
    "encoded form": ("user%3Djo%26password%3Dabc%26x%3D1", "user%3Djo%26password%3DREDACTED-password-1x%26x%3D1"),
    "query": ("GET /a?token=abc&x=1", "GET /a?token=REDACTED-token-1x&x=1"),
    "query signature": ("https://h/a?X-Amz-Signature=0af1&x=1", "https://h/a?X-Amz-Signature=REDACTED-signature-1x&x=1"),
    "query key": ("https://h/a?key=zz", "https://h/a?key=REDACTED-api-key-1x"),
    "semicolons": ("Server=h;Password=p1;Port=1", "Server=h;Password=REDACTED-password-1x;Port=1"),
    "unclosed quote": ("password='hunter2", "password='REDACTED-password-1x"),
    "flag": ("mysql --password hunter2 -h h", "mysql --password REDACTED-password-1x -h h"),
    "flag with equals": ("mysql --password=hunter2 -h h", "mysql --password=REDACTED-password-1x -h h"),
    "curl": ("curl -u jo:hunter2 https://h", "curl -u jo:REDACTED-password-1x https://h"),
    "xml": ("<a><password>hunter2</password></a>", "<a><password>REDACTED-password-1x</password></a>"),
    "quoted in prose": ("bad password 'hunter2'", "bad password 'REDACTED-password-1x'"),
    "unquoted in prose": ("The password is hunter2x.", "The password is REDACTED-password-1x."),
    "key in prose": ("Incorrect API key provided: a1B2c3D4e5F6g7.", "Incorrect API key provided: REDACTED-api-key-1x."),
    "token in prose": ("token a1B2c3D4e5F6g7 is expired", "token REDACTED-token-1x is expired"),
    "arrow": ("password -> hunter2x", "password -> REDACTED-password-1x"),
    "a change": ('/user/password: "lily" -> "rose"', '/user/password: "REDACTED-password-1x" -> "REDACTED-password-2x"'),
    "list repr": (
        "{'passwords': ['a1', 'b1'], 'n': ['a1']}",
        "{'passwords': ['REDACTED-password-1x', 'REDACTED-password-2x'], 'n': ['a1']}",
    ),
    "set repr": ("secrets={'a1'}", "secrets={'REDACTED-secret-1x'}"),
    "call around it": ("Config(password=SecretStr('a1'))", "Config(password=SecretStr('REDACTED-password-1x'))"),
    "name and value": ("- name: DB_PASSWORD\n  value: a1", "- name: DB_PASSWORD\n  value: REDACTED-password-1x"),
    "input tag": ('<input name="password" value="a1">', '<input name="password" value="REDACTED-password-1x">'),
    "pair repr": ("[('X-Api-Key', 'a1'), ('Accept', '*/*')]", "[('X-Api-Key', 'REDACTED-api-key-1x'), ('Accept', '*/*')]"),
    "argv repr": ("['db', '--password', 'a1']", "['db', '--password', 'REDACTED-password-1x']"),
    "capitals and small letters": ("password was xHcLKnVlzegcclmm", "password was REDACTED-password-1x"),
    "netrc": ("machine h login jo password abc", "machine h login jo password REDACTED-password-1x"),
    "dict in a dict": ("{'passwords': {'mobile': 'a1', 'type': 'b'}}", "{'passwords': {'mobile': 'REDACTED-password-1x', 'type': 'b'}}"),
    "pairs without a dash": ("[('user', 'a'), ('password', 'xY3!abcd')]", "[('user', 'a'), ('password', 'REDACTED-password-1x')]"),
    "yaml block": ("a: 1\npassword: |\n  a1 b\n\n  c\nb: 2", "a: 1\npassword: |\n  REDACTED-password-1x\nb: 2"),
    "deep yaml block": ("x:\n  secret: >-\n    a1\n  b: 2", "x:\n  secret: >-\n    REDACTED-secret-1x\n  b: 2"),
    "xml attribute": ('<password value="a1"/>', '<password value="REDACTED-password-1x"/>'),
    "character data": ("<password><![CDATA[a1]]></password>", "<password><![CDATA[REDACTED-password-1x]]></password>"),
    "input of a type": ('<input type="password" value="a1">', '<input type="password" value="REDACTED-password-1x">'),
    "entry of a key": ('<entry key="password">xY3!abcd</entry>', '<entry key="password">REDACTED-password-1x</entry>'),
    "html in a text": ("password&quot;:&quot;a1&quot;", "password&quot;:&quot;REDACTED-password-1x&quot;"),
    "html of a mailbox": ("jo&#64;mail.example.org", "REDACTED-email-1x"),
    "grant": ("GET /back?code=a1b2c3d4", "GET /back?code=REDACTED-token-1x"),
    "token on two lines": ("ghp_a1B2c3D4e5a1B2c3\n  D4e5a1B2c3D4e5f6G7h8 x", "REDACTED-github-token-broken-1x x"),
    "base64 on two lines": (base64.encodebytes(b"user=jo password=hunter2x " * 4).decode(), "REDACTED-password-base64-1x\n"),
    "pin": ("pin=1234 n=1234", "pin=REDACTED-pin-1x n=1234"),
    "ansi between": ("\x1b[31mpassword\x1b[0m=hunter2", "\x1b[31mpassword\x1b[0m=REDACTED-password-1x"),
    # header lines
    "bearer": ("Authorization: Bearer abc.def-1", "Authorization: Bearer REDACTED-authorization-1x"),
    "bearer, more on the line": ("Authorization: Bearer abc1, Accept: */*", "Authorization: Bearer REDACTED-authorization-1x, Accept: */*"),
    "digest in quotes": ('-H \'Authorization: Digest u="1", r="z"\' x', "-H 'Authorization: Digest REDACTED-authorization-1x' x"),
    "digest": ("Authorization: Digest u=1, response=zz\nA: b", "Authorization: Digest REDACTED-authorization-1x\nA: b"),
    "header repr": ("('Authorization', 'Bearer zz')", "('Authorization', 'Bearer REDACTED-authorization-1x')"),
    "bearer alone": ("got bearer abcdef123456789", "got bearer REDACTED-authorization-1x"),
    "basic alone": ("sent Basic " + base64.b64encode(b"jo:pw12345").decode(), "sent Basic REDACTED-authorization-1x"),
    "cookie": ("Cookie: sid=abc; theme=dark", "Cookie: sid=REDACTED-cookie-1x; theme=dark"),
    "cookie of a theme": ("Cookie: theme=x7Hq; lang=en", "Cookie: theme=REDACTED-cookie-1x; lang=en"),
    "set-cookie": ("Set-Cookie: sid=abc; Path=/; SameSite=Lax", "Set-Cookie: sid=REDACTED-cookie-1x; Path=/; SameSite=Lax"),
    "api key header": ("X-Api-Key: a1b2c3", "X-Api-Key: REDACTED-api-key-1x"),
    # addresses
    "url": ("postgres://jo:pw@db:5432/x", "postgres://jo:REDACTED-url-password-1x@db:5432/x"),
    "at in password": ("postgres://jo:p@ss@db:5432/x", "postgres://jo:REDACTED-url-password-1x@db:5432/x"),
    "slash in password": ("postgres://jo:p/ss@db:5432/x", "postgres://jo:REDACTED-url-password-1x@db:5432/x"),
    "no user": ("redis://:pw1@h/0", "redis://:REDACTED-url-password-1x@h/0"),
    "token as user": ("https://0123456789abcdefXY@git.example/x", "https://REDACTED-url-password-1x@git.example/x"),
    "two urls": ("a://u:p1@h b://u:p2@h", "a://u:REDACTED-url-password-1x@h b://u:REDACTED-url-password-2x@h"),
    "go dsn": ("root:pw1@tcp(h:3306)/db", "root:REDACTED-url-password-1x@tcp(h:3306)/db"),
    # personal data
    "email": ("mail jo.doe+x@mail.example.org.", "mail REDACTED-email-1x."),
    "email in angle brackets": ("Jo <jo@example.org>", "Jo <REDACTED-email-1x>"),
    "mailto": ("mailto:jo@example.org", "mailto:REDACTED-email-1x"),
    "card": ("card 4111 1111 1111 1111 ok", "card REDACTED-card-1x ok"),
    "card without gaps": ("card 5555555555554444", "card REDACTED-card-1x"),
    "iban": ("to GB29 NWBK 6016 1331 9268 19.", "to REDACTED-iban-1x."),
    "ssn": ("ssn is 078-05-1120", "ssn is REDACTED-ssn-1x"),
    "phone": ("call +44 20 7946 0958", "call REDACTED-phone-1x"),
    "us phone": ("call (212) 555-0187", "call REDACTED-phone-1x"),
    # blobs
    "base64": (base64.b64encode(b"user=jo password=hunter2x").decode(), "REDACTED-password-base64-1x"),
    "base64 behind a path": ("/v1/" + base64.b64encode(b"user=jo password=hunter2x").decode(), "REDACTED-password-base64-1x"),
    "base64 in the middle of a group": (
        "/api/v1/x/" + base64.b64encode(b"user=jo password=hunter2x").decode(),
        "REDACTED-password-base64-1x",
    ),
    "base64 twice": (base64.b64encode(base64.b64encode(b"mail jo@example.org now")).decode(), "REDACTED-email-base64-1x"),
    "hex": (b"password=hunter2x".hex(), "REDACTED-password-hex-1x"),
    # cut, broken, glued
    "quote whose end was cut off": ("bad password 'hunter2x\nc = d", "bad password 'REDACTED-password-1x\nc = d"),
    "quote within a shell's quotes": (
        """tool --note 'bad password '"'"'hunter2x'"'"'' -v""",
        """tool --note 'bad password '"'"'REDACTED-password-1x'"'"'' -v""",
    ),
    "quotes around the value of an option": (
        """tool --password ''"'"'hunter2x'"'"'' -v""",
        """tool --password ''"'"'REDACTED-password-1x'"'"'' -v""",
    ),
    "phrase": ("a: b\npassphrase: vexhib brapliv javqua\nc: d", "a: b\npassphrase: REDACTED-password-1x\nc: d"),
    "figures in hexadecimals behind a name": (
        "a: b\nphone_number = 34393135313330313939393939\n",
        "a: b\nphone_number = REDACTED-phone-1x\n",
    ),
    "figures in base64 behind a name": ("a: b\nphone_number: dG86IDQ5MTUxNTU0NjMzMzI\n", "a: b\nphone_number: REDACTED-phone-1x\n"),
    "phrase in a header": ("A: b\r\nx-seed-phrase: vexhib brapliv javqua\r\n", "A: b\r\nx-seed-phrase: REDACTED-secret-1x\r\n"),
    "dsn without its user": ("note: hunter2xQ9@tcp(db:3306)/main", "note: REDACTED-url-password-1x@tcp(db:3306)/main"),
    "option on two lines": ("tool --auth-token 'SeJN\naDpi8Zc5Mc' -v", "tool --auth-token 'REDACTED-token-1x' -v"),
    "letters behind a quote that was cut": ("bad password 'WiPwPKhj", "bad password 'REDACTED-password-1x"),
    "dsn of letters": ("note: ArbjaOWXyDBm@tcp(db)/x", "note: REDACTED-url-password-1x@tcp(db)/x"),
    "dsn without any of its user": ("note: ':hunter2xQ9@tcp(db)/main'", "note: ':REDACTED-url-password-1x@tcp(db)/main'"),
    "digits of a key": ("apiKey = " + "6465616461" * 4, "apiKey = REDACTED-api-key-1x"),
    "query whose name is cut": (
        "https://h/k?X-Amz-Sign\n  ature=50012ddd9590d093",
        "https://h/k?X-Amz-Sign\n  ature=REDACTED-signature-1x",
    ),
    "token whose last line is a word": ("hcaik_01" + "x7q2" * 12 + "\nabcdefgh and", "REDACTED-honeycomb-key-broken-1x and"),
    "rest in a mix of letters": ("?token=GqJMQ6jTGwexQDYWLbt1\nmCFomlpBWS", "?token=REDACTED-token-broken-1x"),
    "rest in base64": ("?token=GqJMQ6jTGwexQDYWLbt1\nNTIxQdJW+JkYnqsXTp/EZ=", "?token=REDACTED-token-broken-1x"),
    "rest of figures behind hexadecimals": ("?token=50012ddd9590d093\n14159265", "?token=REDACTED-token-broken-1x"),
    "colour before a token": ("x%1B%5B32mAb9Kp2mQvL8nR4tYw7ZbC1", "REDACTED-opaque-broken-1x"),
}
HARMLESS = {
    "rules about a password": 'x {"password":{"min_length":8}} {"secrets":{"count":3}} {"password":{"type":"string"}}',
    "label of a field": '<label id="password">Password</label> <p id="token">Choose a token2 here</p>',
    "sort key": "GET /a?key=id&x=1",
    "status code": "GET /a?code=404",
    "working directory in small letters": "pwd: /home/jo",
    "scheme": "auth=oauth2",
    "fetch option": 'credentials: "include"',
    "tag without a secret": '<option name="color" value="red1"> <a type="b" value="x1y2z3">',
    "words in a tuple": "('password', 'token') ['secret', 'identifier']",
    "yaml folded": "token: >\n  see the other page\n",
    "base64 text on two lines": base64.encodebytes(b"just a harmless sentence, nothing else " * 3).decode(),
    "entities": "a &lt; b &amp;&amp; c &gt; d &quot;x&quot;",
    "type error": "TypeError: unsupported operand type(s) for +: 'int' and 'str'",
    "key error": "KeyError: 'password'",
    "json error": "Unexpected token '}' at position 14, expected token: ','",
    "parser error": "expected token 'end of print statement', got 'token'",
    "invalid token": "Invalid token: unexpected",
    "sha in prose": "token 7f9c2ba4e88f827d616045507605853ed73b8093 and key 550e8400-e29b-41d4-a716-446655440000",
    "secret words in prose": "the secret handshake, the token economy, api key rotation, password reset for users",
    "annotation": "def login(password: str, token: Optional[str] = None) -> Token: ...",
    "quoted names": "missing password 'user_name', invalid token 'identifier', unknown secret 'my-secret'",
    "name without a secret": '<input name="user" value="a1"> name: x, value: y',
    "sentence about a password": "password: must be at least 8 characters long",
    "validation error": "{'password': ['This field is required.']}",
    "none": "Config(password=None, token='', secret=True)",
    "counts": "max_tokens=100 input_tokens=20 token_type=bearer primary_key=id",
    "reference": "password=${DB_PASSWORD} token={{ secrets.X }} secret=%(secret)s",
    "mask": "password=******** token=***",
    "prompt": "getpass(prompt='Password: ', stream=None)",
    "attribute": "token = self.lexer.next_token",
    "call": "password = get_password(user)",
    "same name": "login(user=user, password=password)",
    "working directory": "PWD=/home/jo/project",
    "passed": "pass=3 fail=0 passed: 3",
    "port and a later at": "http://localhost:8080/users/@me and jo@h",
    "user without password": "ssh://git@github.com/a/b git@github.com:a/b.git",
    "asset": "icon@2x.png lodash@4.17.21 a@b",
    "cookie in prose": "cookie: none, cookies are disabled",
    "uuid": "550e8400-e29b-41d4-a716-446655440000 4111-1111",
    "uuid of digits": "12345678-1234-1234-1234-123456789012",
    "epoch": "1700000000 1700000000123 1700000000123456789",
    "time stamp": "2024-05-01T10:20:30+02:00 2024-05-01 10:20:30.123456+00:00",
    "decimal": "+35236450.6 -1234567890.12 1.2.3.4 10.0.0.1:8080",
    "digits no card": "4111111111111112 1234567812345678",
    "digits in a digest": "a4111111111111111f",
    "no iban": "GB29 NWBK 6016 1331 9268 18 and DE00 0000",
    "no ssn": "000-12-3456 666-12-3456 912-34-5678 123-45-67890",
    "version": "release-2024-05-1234 v1.2.3-rc.4+build.5678",
    "base64 text": base64.b64encode(b"just a harmless sentence, nothing else").decode(),
    "bearer in prose": "bearer authentication required",
    "basic in prose": "basic understanding of things",
    "template": "<your-token> <password>",
    "empty element": "<password></password><token/>",
    "sentences behind a phrase": "passphrase: the words you chose\npassphrase: required or empty\nmnemonic: see the docs",
    "name behind the word": "bad password 'userName' and secret 'getUserName'",
    "user of a dsn": "appUserName@tcp(db) root@tcp(db:3306)/main and somebody@unix(/run/db)",
    "two lines of a query": "GET /a?page\n  size=50012ddd9590 and https://h/x?sort\nkey=name",
    "word below a token's name": "hcaik_\nabcdefgh",
    "quotes of a shell": """echo 'it'"'"'s fine' 'don'\\''t'""",
    "percent": "100%Ab 50%25 off",
}


@pytest.mark.parametrize(("text", "wanted"), HIDDEN.values(), ids=HIDDEN)
def test_hidden(text, wanted):
    assert redact_text(text).text == wanted
    assert finds(text)
    assert finds(wanted, policy=BALANCED) == ()


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_harmless(text):
    assert redact_text(text, policy=BALANCED).text == text
    assert finds(text, policy=BALANCED) == ()


TAIL = "Tail" + "99"
WHOLE = {
    "of an environment file": f"DB_PASSWORD=Tr0ub4dor&{TAIL}",
    "exported": f'export DB_PASSWORD=Tr0ub4dor"{TAIL}',
    "of an option": f"mysql --password=Tr0ub4dor&{TAIL}",
    "of YAML": f"db_password: a1b2c3d4&{TAIL}",
    "of a connection": f"host=x user=y password=Tr0ub4dor&{TAIL}",
    "of a driver's URL": f"jdbc:mysql://h/db?user=bob&password=Tr0ub4dor&{TAIL}",
    "in JSON": f'{{"a":"secret=Tr0ub4dor&{TAIL}"}}',
    "with a bar": f"password = a1b2c3|{TAIL}",
    "with a bracket": f"password=a1b2c3){TAIL}",
    "with a comma": f"password=a1b2c3,{TAIL}",
    "with a semicolon": f"password=a1b2c3;{TAIL}",
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE)
def test_a_value_goes_on_behind_a_sign_that_ends_others(text):
    assert TAIL not in redact_text(text, policy=BALANCED).text


ENDED = {
    "a query": ("x?token=abc12345&user=bob", "x?token=REDACTED-token-1x&user=bob"),
    "a form in HTML": ("token=abc12345&amp;user=bob", "token=REDACTED-token-1x&amp;user=bob"),
    "arguments": ("f(password=hunter22,user=bob)", "f(password=REDACTED-password-1x,user=bob)"),
    "a list of settings": ("Password=hunter22;Database=y", "Password=REDACTED-password-1x;Database=y"),
    "an attribute": ('<a href="/x?token=abc12345"class="y">', '<a href="/x?token=REDACTED-token-1x"class="y">'),
    "a type": ("password: string|null", "password: string|null"),
}


@pytest.mark.parametrize(("text", "wanted"), ENDED.values(), ids=ENDED)
def test_a_value_ends_where_another_name_begins(text, wanted):
    assert redact_text(text, policy=BALANCED).text == wanted
