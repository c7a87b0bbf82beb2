"""Secrets inside structures of their own: headers, cookies, command lines of HTTP clients, config files of tools, tracebacks."""

from random import Random

from benchmarks.redaction import makers
from benchmarks.redaction import values as v
from benchmarks.redaction.items import Item, rows

STRUCTURED = {
    "authorization": [
        "Authorization: Bearer «secret»",
        "Authorization: Basic «basic»",
        "authorization: token «hex40»",
        'Authorization: Token token="«secret»"',
        "Authorization: ApiKey «b64key»",
        'Authorization: Digest username="x", realm="r", nonce="n", uri="/", response="«hex32»"',
        "Authorization: AWS4-HMAC-SHA256 Credential=«awsid»/20260101/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=«hex64»",
        "Authorization: Negotiate «[b120]»",
        "Authorization: NTLM TlRMTVNTUAADAAAA«[b80]»",
        "Authorization: SSWS «[u42]»",
        "Authorization: GenieKey «uuid»",
        "Authorization: Bot «MT[A22].G[u5].[u38]»",
        'Authorization: OAuth oauth_consumer_key="«[A25]»", oauth_token="«[A50]»", oauth_signature="«azsig»"',
        "Authorization: Splunk «uuid»",
        "Authorization: Key «uuid»",
        "Authorization: «secret»",
        "Authorization: SharedKey acct:«b64key»",
        "Proxy-Authorization: Basic «basic»",
        "X-Amz-Security-Token: «[b200]»",
        "X-Api-Key: «secret»",
        "X-Vault-Token: «[A26]»",
        "PRIVATE-TOKEN: «[u20]»",
        "X-Goog-Api-Key: «[u39]»",
        "Ocp-Apim-Subscription-Key: «hex32»",
        "apikey: «secret»",
        "Api-Key: «hex32»",
        "DD-API-KEY: «hex32»",
        "X-CSRF-Token: «b64key»",
        "X-Auth-Token: «uuid»",
        "GET /x HTTP/1.1\r\nHost: a.example\r\nAuthorization: Bearer «secreturl»\r\nAccept: */*\r\n\r\n",
        "{'Authorization': 'Bearer «secret»', 'Accept': '*/*'}",
        '{"authorization":"Bearer «secreturl»","accept":"*/*"}',
        "Headers([('authorization', 'Basic «basic»'), ('accept', '*/*')])",
        "[(b'authorization', b'Bearer «secret»'), (b'host', b'a')]",
        "sent Bearer «secret» to «~host»",
        "-> authorization=[Bearer «secret»]",
        'headers={"Authorization": f"Bearer «secret»"}',
    ],
    "cookie": [
        "Cookie: sessionid=«[a32]»; theme=dark",
        "Cookie: theme=dark; PHPSESSID=«[a26]»",
        "Cookie: JSESSIONID=«[H32]».node1",
        "Cookie: connect.sid=s%3A«[u32]».«[b43]»",
        "Set-Cookie: session=«[u60]»; Path=/; HttpOnly; Secure",
        "Set-Cookie: remember_token=«secret»; Max-Age=3600",
        "set-cookie: __Host-auth=«secreturl»; Path=/",
        "Set-Cookie: .AspNetCore.Identity.Application=«[u200]»; path=/",
        '{"Set-Cookie":["sid=«[u43]»; Path=/","lang=en"]}',
        '{"cookies":{"session":"«[u43]»","lang":"en"}}',
        "Cookie: access_token=«jwt»; lang=en",
        "Cookie: csrftoken=«[A64]»",
        "{'Cookie': 'sessionid=«[a32]»'}",
        "curl -b 'session=«[u43]»' https://«~host»/",
        "laravel_session=«eyJpdiI6I[A160]»%3D",
        "<Cookie sessionid=«[a32]» for .a.example/>",
    ],
    "jwt": [
        '{"value":"«jwt»"}',
        "got «jwt» from «~host»",
        "jwt=«jwtrs»",
        "«jwe»",
        "ValueError: invalid segments in «jwt»",
        "<saml:Token>«jwt»</saml:Token>",
        "eyJ... no: «jwt».",
    ],
    "curl": [
        "curl -H 'Authorization: Bearer «secret»' https://«~host»/",
        'curl -X POST -H "X-Api-Key: «hex32»" -d @f https://«~host»/',
        'curl --header "PRIVATE-TOKEN: «[u20]»" https://«~host»/',
        "curl -d 'user=x&password=«pwplain»' https://«~host»/login",
        'curl --data \'{"password":"«pw»"}\' https://«~host»/',
        'curl --data-raw "client_secret=«secret»&grant_type=x" https://«~host»/',
        "curl -F password=«pwplain» https://«~host»/",
        "curl --oauth2-bearer «secret» https://«~host»/",
        "http POST «~host» X-Api-Token:«secret» n=1",
        "wget --header='Authorization: Basic «basic»' https://«~host»/",
        "Invoke-RestMethod -Headers @{ Authorization = 'Bearer «secret»' } -Uri https://«~host»/",
    ],
    "form": [
        "username=x&password=«pwplain»&remember=1",
        "grant_type=password&client_secret=«secret»&scope=a",
        "csrfmiddlewaretoken=«[A64]»&name=«~word»",
        'Content-Disposition: form-data; name="password"\r\n\r\n«pw»\r\n--b--\r\n',
        (
            '--b\r\nContent-Disposition: form-data; name="user"\r\n\r\n«~word»\r\n--b\r\n'
            'Content-Disposition: form-data; name="api_key"\r\nContent-Type: text/plain\r\n\r\n«hex32»\r\n--b--\r\n'
        ),
        "password=«pwpct»&x=1",
        "user%5Bpassword%5D=«pwplain»&x=1",
        "user[password]=«pwplain»&x=1",
        "SAMLResponse=«[A400]»%3D&RelayState=x",
        "client_assertion=«jwt»&client_assertion_type=urn%3Aietf",
    ],
    "graphql": [
        '{"query":"mutation Login($p:String!){login(password:$p){id}}","variables":{"p":"«~word»","password":"«pw»"}}',
        'mutation { login(user: "x", password: "«pwplain»") { token } }',
        '{"query":"mutation { signIn(input: {email: null, password: \\"«pwplain»\\"}) { id } }"}',
    ],
    "traceback": [
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    connect(password="«pw»")\nOperationalError: no\n',
        "locals:\n    password = '«pwplain»'\n    n = 3\n",
        "  │ api_key = '«secret»'                 │\n  │ n = 3                                │",
        "Local variables: {'self': <C>, 'token': '«secret»', 'n': 3}",
        "E   AssertionError: assert {'password': '«pwplain»'} == {'password': None}",
        "KeyError: 'x' (headers={'X-Api-Key': '«secret»'})",
        "TypeError: login() got an unexpected keyword argument 'pasword': password='«pw»'",
        "pydantic: input_value={'password': '«pwplain»'}, input_type=dict",
        "requests.exceptions.HTTPError: 401 for url: https://a.example/v1?api_key=«hex32»",
        "psycopg2.OperationalError: connection to postgres://x:«pwplain»@«~host»/app failed",
        "    at connect (a.js:3:5) {\n  password: '«pwplain»',\n  code: 'E1'\n}",
        'caused by: LoginError{user="x", password="«pwplain»"}',
        "called with args=('x',) kwargs={'secret_key': '«secret»', 'n': 1}",
        "mock.call(user='x', password='«pw»')",
    ],
    "tool-config": [
        "apiVersion: v1\nkind: Config\nusers:\n- name: x\n  user:\n    client-certificate-data: «~b64key»\n    client-key-data: «[b300]»\n",
        '{"type":"service_account","private_key_id":"«~hex40»","private_key":"«pemesc»\\n","client_email":null}',
        '{"AccessKeyId":"«awsid»","SecretAccessKey":"«awssecret»","SessionToken":"«[b300]»","Expiration":"2026-01-01T00:00:00Z"}',
        '{"Credentials":{"SecretAccessKey":"«awssecret»"}}',
        "[default]\naws_access_key_id=«awsid»\naws_secret_access_key=«awssecret»\naws_session_token=«[b300]»\n",
        '{"installed":{"client_secret":"«GOCSPX-[u28]»","token_uri":"https://oauth2.googleapis.com/token"}}',
        "[distutils]\n[pypi]\n  username: __token__\n  password: «secreturl»\n",
        "registry=https://r.example/\n//r.example/:_authToken=«uuid»\n",
        '{"github-oauth":{"github.com":"«hex40»"}}',
        '{"http-basic":{"repo.example":{"username":"x","password":"«pwplain»"}}}',
        "github.com:\n    user: x\n    oauth_token: «secret»\n    git_protocol: https\n",
        "hosts:\n  a:\n    ansible_ssh_pass: «pwplain»\n    ansible_become_password: «pw»\n",
        '{"mcpServers":{"x":{"command":"npx","env":{"X_API_KEY":"«secret»"}}}}',
        "    - run: deploy\n      env:\n        DEPLOY_TOKEN: «secret»\n",
        '[credentials "https://x"]\n  username = x\n  token = «secret»\n',
        "<settings><servers><server><id>x</id><username>y</username><password>«pwplain»</password></server></servers></settings>",
        "spring:\n  datasource:\n    url: jdbc:postgresql://«~host»/x\n    username: y\n    password: «pw»\n",
        'SLACK = {"token": "«secret»", "channel": "#x"}',
        "rclone: pass = «[u32]»\n",
    ],
    "bytes": [
        "b'password=«pwplain»'",
        'b\'{"token": "«secret»"}\'',
        "bytearray(b'Authorization: Bearer «secret»\\r\\n')",
        'b"POST / HTTP/1.1\\r\\nX-Api-Key: «hex32»\\r\\n\\r\\n"',
        "<memory b'ghp_' ok> value=b'«ghp»'",
        "'Cookie: sid=«[u43]»\\r\\n'",
    ],
    "key-files": [
        "«pemrsa»",
        (
            "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nComment: x\nPublic-Lines: 1\n«~[b64]»\n"
            "Private-Lines: 2\n«[b64]»\n«[b40]==»\nPrivate-MAC: «[h40]»\n"
        ),
        "# created: 2026-01-01\n# public key: age1«~[a58]»\n«AGE-SECRET-KEY-1[c58]»\n",
        '{"kty":"RSA","n":"«~[u86]»","e":"AQAB","d":"«[u342]»","p":"«[u171]»","q":"«[u171]»"}',
        '{"kty":"oct","k":"«secreturl»"}',
        '{"kty":"EC","crv":"P-256","x":"«~[u43]»","y":"«~[u43]»","d":"«[u43]»"}',
        '{"mnemonic":"«mnemonic»"}',
        "kubeadm join 10.0.0.1:6443 --token «[a6].[a16]» --discovery-token-ca-cert-hash sha256:«~sha256»",
        "<RSAKeyValue><Modulus>«~[b171]=»</Modulus><Exponent>AQAB</Exponent><D>«[b171]=»</D></RSAKeyValue>",
    ],
}


# Signatures of one message, encrypted keys, names that only one product uses: no agreement that these must go.
LOOSE = [
    'Authorization: Hawk id="x", ts="1767225600", nonce="n", mac="«b64key»"',
    "X-Hub-Signature-256: sha256=«hex64»",
    "Stripe-Signature: t=1767225600,v1=«hex64»",
    "Sec-WebSocket-Protocol: bearer, «secreturl»",
    "curl -E cert.pem:«pwplain» https://«~host»/",
    "wordpress_logged_in_«~hex32»=«~word»%7C«~[p1][d9]»%7C«[A43]»%7C«hex64»",
    "_gh_sess=«[u90]»",
    "<samlp:Response><ds:SignatureValue>«[b340]==»</ds:SignatureValue></samlp:Response>",
    "$ANSIBLE_VAULT;1.1;AES256\n«[h80]»\n«[h80]»\n«[h40]»\n",
    "untrusted comment: minisign encrypted secret key\n«RWRTY0Iy[b200]»\n",
    "b'\\x00\\x01password\\x00«pwplain»\\x00'",
]


def fill(spec: str, rng: Random) -> str:
    if spec == "mnemonic":
        return " ".join(v.word(rng) for _ in range(12))
    return makers.fill(spec, rng)


def items(rng: Random) -> list[Item]:
    sure = [item for kind, templates in STRUCTURED.items() for item in rows("structured", kind, templates, rng, fill)]
    return sure + rows("other-loose", "structured", LOOSE, rng, fill)
