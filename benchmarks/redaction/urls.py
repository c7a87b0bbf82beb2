"""Secrets in URLs: credentials before the host, query and fragment values, signatures, secret paths."""

from random import Random

from benchmarks.redaction.items import Item, rows
from benchmarks.redaction.makers import fill

SCHEMES = [
    "postgres",
    "postgresql",
    "mysql",
    "mongodb",
    "mongodb+srv",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "mssql",
    "ftp",
    "sftp",
    "smtp",
    "smtps",
    "ldap",
    "ldaps",
    "https",
    "clickhouse",
    "nats",
    "mqtt",
    "s3",
    "kafka",
]

URLS = {
    "userinfo": [
        "postgresql+asyncpg://x:«pw»@«~host»:5432/app?sslmode=require",
        '{"url":"https://x:«pwplain»@«~host»/path"}',
        "fatal: unable to access 'https://x:«pwplain»@«~host»/r.git/': timed out",
        "http://x:«pwpct»@«~host»:8080",
        "redis://:«pwplain»@«~host»:6379/0",
        "rediss://default:«pwhuman»@«~host»:6380",
        "smtp://x%40y.example:«pwplain»@«~host»:587",
        "https://x:«pwword»@«~host»",
        "DATABASE_URL=postgres://x:«pw»@«~host»/app\n",
        '<a href="ftp://x:«pwplain»@«~host»/f.zip">f</a>',
        "mongodb://x:«pwplain»@«~[w5]».internal:27017,b.internal:27017/app?replicaSet=rs0",
        "could not connect to amqp://x:«pwplain»@«~host»:5672//: refused",
        "proxy=http://x:«pwplain»@10.1.2.3:3128",
        "snowflake://x:«pwplain»@acct/db/schema?warehouse=w",
        "sqlalchemy.url = mysql+pymysql://x:«pwhuman»@«~host»/app",
        "git+https://x:«pwplain»@«~host»/r.git@main#egg=r",
        "jdbc:oracle:thin:x/«pwplain»@«~host»:1521/app",
        "jdbc:mysql://x:«pwplain»@«~host»:3306/app",
    ],
    "odd-password": [
        "postgres://x:«pwat»@«~host»:5432/app",
        "postgres://x:«pwslash»@«~host»:5432/app",
        "https://x:«pwcolon»@«~host»/",
        '{"dsn":"mysql://x:«pwat»@«~host»/app","n":1}',
        "amqp://x:«[A4]@[A3]/[A4]»@«~host»:5672/v",
        "redis://:«[A4]#[A5]»@«~host»:6379",
        "https://x:«[A4]?[A5]»@«~host»/p",
        "ftp://x:«pwuni»@«~host»/",
        "postgres://x:«[A6]$[A3]!»@«~host»/app",
        "invalid port in postgres://x:«pwslash»@«~host»/app",
    ],
    "token-only": [
        "https://«[A40]»@github.com/o/r.git",
        "https://«hex40»@«~host»/r.git",
        "https://oauth2:«secret»@gitlab.example/o/r.git",
        "https://x-access-token:«[A40]»@github.com/o/r",
        "https://x-token-auth:«secreturl»@bitbucket.org/o/r",
        "git clone https://«secret»@git.example/o/r.git",
        "https://«hex32»:@api.example/v1/charges",
        "https://«[a52]»@dev.azure.com/o/p/_git/r",
        "https://«hex32»@o12345.ingest.sentry.io/1234567",
        "https://«~hex32»:«hex32»@sentry.example/3",
    ],
    "query": [
        "https://api.example/v1/x?api_key=«hex32»&n=3",
        "https://api.example/v1/x?n=3&token=«secret»",
        "https://api.example/v1/x?access_token=«secreturl»#top",
        "https://maps.example/js?key=«[u39]»&callback=init",
        "/login?user=x&password=«pwplain»",
        "GET /v1/x?apikey=«hex32» HTTP/1.1",
        "https://api.example/cb?code=«[u43]»&state=«~[u22]»",
        "https://x.example/reset?reset_token=«secreturl»",
        "https://x.example/?client_secret=«secret»&grant_type=client_credentials",
        "https://x.example/verify?otp=«[p1][d5]»",
        '{"href":"https:\\/\\/x.example\\/d?token=«secret»\\u0026n=1"}',
        "https://x.example/?q=«~word»&amp;auth=«secret»&amp;n=1",
        "https://x.example/ws?jwt=«jwt»",
        "jdbc:postgresql://«~host»/app?user=x&password=«pwplain»",
        "jdbc:sqlserver://«~host»:1433;databaseName=x;user=y;password=«pw»;",
        "postgres://«~host»/app?user=x&password=«pwplain»",
        "wss://«~host»/socket?authToken=«secret»&v=2",
        "https://api.telegram.org/bot«[p1][d9]:AA[u33]»/sendMessage?chat_id=3",
        "https://x.example/feed?private_token=«[u20]»",
        "https://x.example/?sig=«azsig»",
        "myapp://cb?id_token=«jwt»",
        "https://x.example/?session_id=«[a32]»&page=2",
    ],
    "fragment": [
        "https://app.example/cb#access_token=«secreturl»&token_type=bearer&expires_in=3600",
        "https://app.example/#/reset?token=«secret»",
        "https://app.example/cb#id_token=«jwt»&state=x",
    ],
    "signed": [
        "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=«awsid»%2F20260101%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature=«hex64»",
        "https://b.s3.amazonaws.com/k?AWSAccessKeyId=«awsid»&Expires=1767225600&Signature=«azsig»",
        "https://b.s3.amazonaws.com/k?X-Amz-Security-Token=«[b200]»&X-Amz-Signature=«hex64»",
        "https://storage.googleapis.com/b/k?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Date=20260101T000000Z&X-Goog-Expires=600&X-Goog-Signature=«[h512]»",
        "https://storage.googleapis.com/b/k?GoogleAccessId=x&Expires=1767225600&Signature=«azsig»",
        "https://a.blob.core.windows.net/c/b?sv=2024-11-04&ss=b&srt=o&sp=r&se=2026-01-01T00:00:00Z&spr=https&sig=«azsig»",
        "SharedAccessSignature=sv=2024-11-04&ss=b&se=2026-01-01&sp=r&sig=«azsig»",
        "SharedAccessSignature sr=x.servicebus.windows.net&sig=«azsig»&se=1767225600&skn=Root",
        "https://d1.cloudfront.net/k?Expires=1767225600&Signature=«[u340]»&Key-Pair-Id=K2JCJMDEHXQW5F",
        "https://x.example/img.png?Expires=1767225600&OSSAccessKeyId=«LTAI5t[A18]»&Signature=«azsig»",
        '{"uploadUrl":"https://x.example/u?X-Amz-Signature=«hex64»&partNumber=1"}',
    ],
    "webhook": [
        "https://hooks.slack.com/services/T«~[U8]»/B«~[U10]»/«[A24]»",
        "https://hooks.slack.com/workflows/T«~[U8]»/A«~[U10]»/«~[d18]»/«[A24]»",
        "https://discord.com/api/webhooks/«~[p1][d17]»/«[u68]»",
        "https://x.webhook.office.com/webhookb2/«~uuid»@«~uuid»/IncomingWebhook/«hex32»/«~uuid»",
        "https://prod-01.westeurope.logic.azure.com:443/workflows/«~hex32»/triggers/manual/paths/invoke?api-version=2016-06-01&sp=x&sv=1.0&sig=«secreturl»",
        "https://chat.googleapis.com/v1/spaces/«~[A11]»/messages?key=AIza«[u35]»&token=«secreturl»",
        "https://api.mailgun.example/v3?auth=key-«hex32»",
    ],
}


LOOSE = [
    "https://hooks.zapier.com/hooks/catch/«~[d7]»/«[a7]»/",
]


def items(rng: Random) -> list[Item]:
    made = [item for kind, templates in URLS.items() for item in rows("url", kind, templates, rng, fill)]
    made += rows("other-loose", "url", LOOSE, rng, fill)
    made += rows("url", "cloudinary", ["CLOUDINARY_URL=cloudinary://«~[d15]»:«[u27]»@«~word»"], rng, fill)
    return made + rows("url", "scheme", [f"{scheme}://x:«pwplain»@«~host»:«~n»/p" for scheme in SCHEMES], rng, fill)
