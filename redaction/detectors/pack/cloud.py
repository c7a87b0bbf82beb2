"""Clouds, hosting, data bases, infrastructure and its secret stores."""

from __future__ import annotations

from redaction.detectors.rule import LEFT, RIGHT, UUID, UUID_EXAMPLE, A, Rule, W, rule

# Microsoft's keys carry a fixed signature, and the service's, at a fixed place.
_AZURE_KEY = (
    r"(?<![A-Za-z0-9])(?:[A-Za-z0-9]{52}JQQJ9[9DH][A-Za-z0-9+/_=-]{20,30}|[A-Za-z0-9/+]{72,78}(?:APIM|ACDb|\+(?:ABa|AMC|ASt))[A-Za-z0-9/+]{4,8}=="
    r"|[A-Za-z0-9/+]{33}(?:AIoT|\+(?:ASb|AEh|ARm))[A-Za-z0-9/+]{6}=|[A-Za-z0-9_-]{40,44}AzFu[A-Za-z0-9_-]{4,6}==|[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{6}"
    r"|[A-Za-z0-9]{33}AzCa[A-Za-z0-9]{6}=|[A-Za-z0-9/+]{42}\+ACR[A-Za-z0-9/+]{6})"
)
_AZURE_MARKS = "JQQJ9 APIM ACDb +ABa +AMC +ASt AIoT +ASb +AEh +ARm AzFu AzSe AzCa +ACR"
_TEAMS = rf"/webhookb?2?/({UUID}@{UUID}/[A-Za-z0-9/_-]{{0,240}})"
_TEAMS_EXAMPLE = f"https://x.webhook.office.com/webhookb2/{UUID_EXAMPLE}@{UUID_EXAMPLE}/IncomingWebhook/{{hex:32}}/{UUID_EXAMPLE}"

# fmt: off
CLOUD: tuple[Rule, ...] = (
    rule("aws-key-id", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,128}", "AKIA{upper:16}"),
    rule("aws-session-token", "IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz", r"(?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz)[A-Za-z0-9+/=_%-]{60,4096}",
         "IQoJb3JpZ2luX2VjE{base:300}"),
    rule("aws-bedrock-key", "ABSKQmVkcm9ja0 bedrock-api-key-", r"(?:ABSKQmVkcm9ja0|bedrock-api-key-)[A-Za-z0-9+/=_-]{40,2048}",
         "ABSKQmVkcm9ja0FQSUtleS{base:110}"),
    rule("aws-mws-key", "amzn.mws.", rf"amzn\.mws\.{UUID}", f"amzn.mws.{UUID_EXAMPLE}"),
    rule("amazon-secret", "amzn1.oa2-cs.", r"amzn1\.oa2-cs\.v1\.[0-9a-f]{40,80}", "amzn1.oa2-cs.v1.{hex:64}"),
    rule("amazon-token", "Atza| Atzr|", r"Atz[ar]\|[A-Za-z0-9+/=_-]{40,2048}", "Atza|{base:200}"),
    rule("google-api-key", "AIza", rf"AIza{W}{{30,40}}", "AIza{word:35}"),
    rule("google-auth-key", "AQ.Ab", rf"{LEFT}AQ\.Ab{W}{{30,128}}", "AQ.Ab8RN6{word:44}"),
    rule("google-oauth", "ya29.", rf"ya29\.(?:[a-z]\.)?{W}{{20,2048}}", "ya29.{word:60}"),
    rule("google-secret", "GOCSPX-", rf"GOCSPX-{W}{{20,64}}", "GOCSPX-{word:28}"),
    rule("google-refresh", "1//0", rf"{LEFT}1//0{W}{{30,512}}", "1//0{word:60}"),
    rule("google-hmac-id", "GOOG", r"(?<![A-Za-z0-9])GOOG1?[A-Z0-9]{20,58}(?![A-Za-z0-9])", "GOOG1E{upper:55}"),
    rule("azure-secret", "Q~", r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}", "abc8Q~{alnum:34}"),
    rule("azure-key", _AZURE_MARKS, _AZURE_KEY, "{alnum:52}JQQJ99BAACAAAA{alnum:18}"),
    rule("teams-webhook", "webhook", _TEAMS, _TEAMS_EXAMPLE, 1),
    rule("alibaba-key-id", "LTAI", rf"{LEFT}LTAI{A}{{12,26}}(?!{A})", "LTAI{alnum:20}"),
    rule("tencent-key-id", "AKID", rf"{LEFT}AKID{A}{{32,48}}{RIGHT}", "AKID{alnum:32}"),
    rule("volcengine-key-id", "AKLT", rf"{LEFT}AKLT{A}{{30,60}}", "AKLT{alnum:43}"),
    rule("baidu-key", "bce-v3/ALTAK-", rf"bce-v3/ALTAK-{A}{{16,40}}/[0-9a-f]{{30,64}}", "bce-v3/ALTAK-{alnum:21}/{hex:40}"),
    rule("yandex-key", "AQVN y0_ t1.", rf"{LEFT}(?:AQVN{W}{{30,40}}|y0_{W}{{50,64}}|t1\.[A-Za-z0-9_=-]{{20,512}}\.[A-Za-z0-9_=-]{{80,90}})",
         "AQVN{word:36}"),
    rule("scaleway-key-id", "SCW", rf"{LEFT}SCW[A-Z0-9]{{17}}{RIGHT}", "SCW{upper:17}"),
    rule("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[0-9a-f]{32,64}", "dop_v1_{hex:64}"),
    rule("digitalocean-key-id", "DO00 DO80", rf"{LEFT}DO[08]0[A-Z0-9]{{16}}{RIGHT}", "DO00{upper:16}"),
    rule("cloudflare-token", "cfk_ cfut_ cfat_", rf"{LEFT}cf(?:k|ut|at)_{A}{{36,64}}", "cfut_{alnum:48}"),
    rule("cloudflare-origin-key", "v1.0-", r"(?<![A-Za-z0-9])v1\.0-[0-9a-f]{20,32}-[0-9a-f]{100,160}", "v1.0-{hex:24}-{hex:146}"),
    rule("heroku-key", "HRKU-", rf"HRKU-{W}{{30,128}}", "HRKU-AA{word:58}"),
    rule("fly-token", "fo1_ fm1a_ fm1r_ fm2_", rf"{LEFT}(?:fo1|fm1a|fm1r|fm2)_[A-Za-z0-9+/=_-]{{40,2048}}", "fo1_{word:43}"),
    rule("netlify-token", "nfp_ nfc_ nfo_ nfu_ nfb_", rf"{LEFT}nf[pcoub]_{A}{{30,64}}", "nfp_{alnum:36}"),
    rule("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", rf"{LEFT}vc[piark]_{A}{{24,80}}", "vcp_{alnum:56}"),
    rule("vercel-blob-token", "vercel_blob_rw_", rf"vercel_blob_rw_{A}{{8,40}}_{A}{{16,64}}", "vercel_blob_rw_{alnum:16}_{alnum:31}"),
    rule("render-key", "rnd_", rf"{LEFT}rnd_(?=[A-Za-z]{{0,27}}[0-9]){A}{{28,48}}", "rnd_7{alnum:31}"),
    rule("supabase-key", "sbp_ sb_secret_", rf"{LEFT}(?:sbp_(?:v0_)?[0-9a-z]{{40}}|sb_secret_{W}{{20,64}})", "sbp_{hex:40}"),
    rule("neon-key", "napi_ npg_", rf"{LEFT}(?:napi_[0-9a-z]{{48,80}}|npg_{A}{{12,32}})", "napi_{lower:64}"),
    rule("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,64}", "pscale_tkn_{word:43}"),
    rule("mongodb-secret", "mdb_sa_sk_", rf"mdb_sa_sk_{W}{{30,64}}", "mdb_sa_sk_{word:40}"),
    rule("cockroach-key", "CCDB1_", r"CCDB1_[A-Za-z0-9]{16,32}_[A-Za-z0-9]{30,64}", "CCDB1_{alnum:22}_{alnum:40}"),
    rule("aiven-password", "AVNS_", rf"AVNS_{W}{{15,40}}", "AVNS_{word:19}"),
    rule("clickhouse-key", "4b1d", rf"{LEFT}4b1d(?=[a-z0-9]{{0,37}}[A-Z]){A}{{38}}{RIGHT}", "4b1dX{alnum:37}"),
    rule("pinecone-key", "pcsk_", r"pcsk_[A-Za-z0-9_]{40,90}", "pcsk_{alnum:6}_{alnum:64}"),
    rule("databricks-token", "dapi", r"(?<![A-Za-z0-9])dapi[0-9a-f]{32}(?:-[0-9])?", "dapi{hex:32}"),
    rule("databricks-secret", "dose", rf"{LEFT}dose[0-9a-f]{{32}}{RIGHT}", "dose{hex:32}"),
    rule("doppler-token", "dp.", rf"{LEFT}dp\.(?:pt|st|ct|sa|said|scim|audit)\.[A-Za-z0-9_.-]{{30,80}}", "dp.pt.{alnum:43}"),
    rule("vault-token", "hvs. hvb. hvr.", rf"{LEFT}hv[sbr]\.{W}{{20,300}}", "hvs.{word:92}"),
    rule("terraform-token", ".atlasv1.", rf"{LEFT}{A}{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{40,80}}", "{alnum:14}.atlasv1.{alnum:67}"),
    rule("pulumi-token", "pul-", r"(?<![A-Za-z0-9])pul-[0-9a-f]{40}", "pul-{hex:40}"),
    rule("infisical-token", "st.", rf"{LEFT}st\.[0-9a-f]{{24}}\.[0-9a-f]{{24,64}}(?:\.[0-9a-f]{{8,64}})?",
         "st.{hex:24}.{hex:32}.{hex:32}"),
    rule("one-password-token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9_=-]{60,2048}", "ops_eyJ{alnum:250}"),
    rule("one-password-key", "A3-", rf"{LEFT}A3-[A-Z0-9]{{6}}-(?:[A-Z0-9]{{11}}|[A-Z0-9]{{6}}-[A-Z0-9]{{5}})(?:-[A-Z0-9]{{5}}){{3}}",
         "A3-{upper:6}-{upper:6}-{upper:5}-{upper:5}-{upper:5}-{upper:5}"),
    rule("tailscale-key", "tskey-", rf"tskey-[a-z]{{2,12}}-{W}{{12,100}}", "tskey-auth-{alnum:12}CNTRL-{alnum:32}"),
    rule("openshift-token", "sha256~", rf"{LEFT}sha256~{W}{{24,48}}", "sha256~{word:43}"),
    rule("rancher-token", "token-", rf"{LEFT}token-[a-z0-9]{{5}}:[a-z0-9]{{40,64}}{RIGHT}", "token-{lower:5}:{lower:54}"),
    rule("harness-token", "pat. sat.", rf"{LEFT}[ps]at\.{W}{{22}}\.[0-9a-f]{{24}}\.{A}{{20}}", "pat.{word:22}.{hex:24}.{alnum:20}"),
    rule("octopus-key", "API-", rf"{LEFT}API-(?=[A-Z]{{0,20}}[0-9]){A}{{25,40}}{RIGHT}", "API-7{upper:27}"),
    rule("launchdarkly-key", "sdk- api- mob-", rf"{LEFT}(?:sdk|api|mob)-{UUID}", f"sdk-{UUID_EXAMPLE}"),
    rule("prefect-key", "pnu_ pnb_", rf"{LEFT}pn[ub]_{A}{{32,48}}", "pnu_{alnum:36}"),
    rule("thingsboard-token", "thingsboard", r"thingsboard\.(?:cloud|io)(?::\d{1,5})?/api/v1/([A-Za-z0-9]{16,40})(?![A-Za-z0-9])",
         "https://thingsboard.cloud/api/v1/{alnum:20}/telemetry", 1),
    rule("swarm-token", "SWMTKN-", r"SWMTKN-[0-9]-[a-z0-9]{40,60}-[a-z0-9]{8,32}", "SWMTKN-1-{lower:50}-{lower:25}"),
    rule("scalingo-token", "tk-us-", rf"{LEFT}tk-us-{W}{{40,64}}", "tk-us-{word:48}"),
    rule("zuplo-key", "zpka_", rf"{LEFT}zpka_[0-9a-f]{{32}}(?:_[0-9a-f]{{8}})?", "zpka_{hex:32}_{hex:8}"),
    rule("deno-token", "ddp_ ddo_", rf"{LEFT}dd[po]_{A}{{36,48}}", "ddp_{alnum:40}"),
    rule("azure-devops-token", "AZDO", rf"{LEFT}[A-Za-z0-9]{{76}}AZDO[A-Za-z0-9]{{4}}{RIGHT}", "{alnum:76}AZDO{alnum:4}"),
    rule("adobe-secret", "p8e-", rf"{LEFT}p8e-{W}{{28,40}}", "p8e-{alnum:32}"),
)
# fmt: on
