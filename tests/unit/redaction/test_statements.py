"""Values that a statement, a table or a file format ties to a name. Each table has its harmless twin."""

import pytest

from redaction import BALANCED, finds, redact_text

HIDDEN = {
    # statements
    "sql user": ("CREATE USER x IDENTIFIED BY 'tiger'", "CREATE USER x IDENTIFIED BY 'REDACTED-password-1x'"),
    "sql plug-in": ('identified with sha2 by "a b"', 'identified with sha2 by "REDACTED-password-1x"'),
    "sql within sql": ("SET n = 'IDENTIFIED BY ''tiger''' WHERE 1", "SET n = 'IDENTIFIED BY ''REDACTED-password-1x''' WHERE 1"),
    "sql that was cut": ("CREATE USER x IDENTIFIED BY 'tiger7\nc", "CREATE USER x IDENTIFIED BY 'REDACTED-password-1x\nc"),
    "sql call": ("SET PASSWORD = PASSWORD('x7Hq2mZt')", "SET PASSWORD = PASSWORD('REDACTED-password-1x')"),
    "sql national text": ("WITH PASSWORD = N'a1'", "WITH PASSWORD = N'REDACTED-password-1x'"),
    "sql rows": (
        "INSERT INTO u (name, password) VALUES ('jo', 'a1'), ('al', 'b''1');",
        "INSERT INTO u (name, password) VALUES ('jo', 'REDACTED-password-1x'), ('al', 'REDACTED-password-2x');",
    ),
    "power shell": ("ConvertTo-SecureString 'a b' -AsPlainText", "ConvertTo-SecureString 'REDACTED-password-1x' -AsPlainText"),
    "terraform": (
        'variable "db_password" {\n  type = string\n  default = "a1"\n}',
        'variable "db_password" {\n  type = string\n  default = "REDACTED-password-1x"\n}',
    ),
    "docker": ("FROM x\nENV DB_PASSWORD a1\n", "FROM x\nENV DB_PASSWORD REDACTED-password-1x\n"),
    "windows": ("setx API_KEY a1", "setx API_KEY REDACTED-api-key-1x"),
    "body of a secret": ('secret set API_TOKEN --body "x7Hq2mZt"', 'secret set API_TOKEN --body "REDACTED-token-1x"'),
    "typed": ("self.client_secret: str = 'x7Hq2mZt'", "self.client_secret: str = 'REDACTED-secret-1x'"),
    "typed reference": ('let token: &str = "x7Hq2mZt";', 'let token: &str = "REDACTED-token-1x";'),
    "setter": ('user.setPassword("x7Hq2mZt")', 'user.setPassword("REDACTED-password-1x")'),
    "constant": ("define( 'AUTH_KEY', 'x7Hq2mZt' );", "define( 'AUTH_KEY', 'REDACTED-api-key-1x' );"),
    "three quotes": ('password = """a b\nc"""\n', 'password = """REDACTED-password-1x"""\n'),
    "braces": ("Server=h;PWD={a,1;b};UID=x", "Server=h;PWD={REDACTED-password-1x};UID=x"),
    "password file": ("db.example.org:5432:*:jo:x7Hq2mZt\n", "db.example.org:5432:*:jo:REDACTED-password-1x\n"),
    "multipart": (
        'Content-Disposition: form-data; name="password"\r\n\r\na1 b\r\n--x',
        'Content-Disposition: form-data; name="password"\r\n\r\nREDACTED-password-1x\r\n--x',
    ),
    # tables
    "csv": ("id,password\n1,a1\n2,\n3,b1\n", "id,password\n1,REDACTED-password-1x\n2,\n3,REDACTED-password-2x\n"),
    "csv with quotes": ('name,"api_key",n\njo,"a,""1",3\n', 'name,"api_key",n\njo,"REDACTED-api-key-1x",3\n'),
    "tsv": ("name\tpassword\tn\njo\ta1\t3\n", "name\tpassword\tn\njo\tREDACTED-password-1x\t3\n"),
    "semicolons": ("name;password\njo;a1", "name;password\njo;REDACTED-password-1x"),
    "table in markdown": (
        "| name | password |\n|---|---|\n| jo | a1 |\n",
        "| name | password |\n|---|---|\n| jo | REDACTED-password-1x |\n",
    ),
    # files
    "kubernetes": (
        "kind: Secret\nmetadata:\n  name: x\ndata:\n  a: eA==\n  b: YjE=\ntype: Opaque\n",
        "kind: Secret\nmetadata:\n  name: x\ndata:\n  a: REDACTED-secret-1x\n  b: REDACTED-secret-2x\ntype: Opaque\n",
    ),
    "kubernetes in text": ("kind: Secret\nstringData:\n  a: b c\n", "kind: Secret\nstringData:\n  a: REDACTED-secret-1x\n"),
    "yaml list": ("secrets:\n  - x7Hq2mZt\n  - y7Hq2mZt\nb: 1", "secrets:\n  - REDACTED-secret-1x\n  - REDACTED-secret-2x\nb: 1"),
    "yaml list on a line": ("passwords: [x7Hq2mZt, rose]\n", "passwords: [REDACTED-password-1x, REDACTED-password-2x]\n"),
    "yaml environment": ("env:\n  - DB_PASSWORD=aQ_x.j49\n", "env:\n  - DB_PASSWORD=REDACTED-password-1x\n"),
    "property list": ("<key>apiToken</key>\n<string>x7Hq2mZt</string>", "<key>apiToken</key>\n<string>REDACTED-token-1x</string>"),
    "rsa of .net": ("<RSAKeyValue><D>abc=</D></RSAKeyValue>", "<RSAKeyValue><D>REDACTED-private-key-1x</D></RSAKeyValue>"),
    "meta tag": ('<meta name="csrf-token" content="x7Hq2mZt">', '<meta name="csrf-token" content="REDACTED-token-1x">'),
    "cookie flag": ("curl -b 'session=a1; b=c1' h", "curl -b 'session=REDACTED-cookie-1x; b=REDACTED-cookie-2x' h"),
    "wireless": ('psk="a b c"', 'psk="REDACTED-password-1x"'),
    "key in a sentence": (
        "my api key is 117921162b883d5a49bac91b87d4314e now",
        "my api key is REDACTED-api-key-1x now",
    ),
    "password hash of apache": ("jo:$apr1$a1b2c3d4$" + "a1B2c3" * 3 + "dEf1", "jo:REDACTED-password-hash-1x"),
}
HARMLESS = {
    "column type": "password VARCHAR(255) NOT NULL, token CHAR(64), secret varbinary(32)",
    "attribute with its object": "self.password = password\nthis.token = other.token\n",
    "environment of a process": "password: process.env.DB_PASSWORD,\ntoken = os.environ.TOKEN",
    "parameters": "INSERT INTO u (name, password) VALUES (?, ?), (:n, :p), ($1, $2)",
    "placeholder in words": "api_key=YOUR_API_KEY_HERE token: your-token-here",
    "reference of a schema": '{"token":{"$ref":"#/components/schemas/Token2"}}',
    "reading": 'get_secret("db-password-2") getToken("name1234") has_password("x7Hq2mZt")',
    "names of secrets": "secrets:\n  - db_password\n  - tls-certificate\n",
    "types": "passwords: [string, number]\n",
    "headings": "name, token, meaning\nIF, IF, start\n",
    "token table": "| token | meaning |\n|---|---|\n| IF | start |\n",
    "prose with commas": "Missing user, password\nPlease add both and try again\n",
    "positions": "src/main.c:12:5:error:x7Hq2mZt\ntoken.py:817\n12:34:56:78:9a:bc\n2001:db8:1:2:x7Hq2mZt",
    "template": "PWD={password};UID={user}",
    "taste": "Set-Cookie: theme=dark; Path=/\nCookie: lang=en-US; tz=Europe/Berlin",
    "property list": "<key>CFBundleName</key><string>x7Hq2mZt</string>",
    "another name": "no password at_i=1305025244, token cursor=abc123ABC456",
    "other kinds": "kind: ConfigMap\ndata:\n  a: eA==\n",
    "flag with a call": "-Password (Get-Content x)",
}


@pytest.mark.parametrize(("text", "wanted"), HIDDEN.values(), ids=HIDDEN)
def test_hidden(text, wanted):
    assert redact_text(text).text == wanted
    assert finds(wanted, policy=BALANCED) == ()


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_harmless(text):
    assert redact_text(text, policy=BALANCED).text == text
    assert finds(text, policy=BALANCED) == ()
