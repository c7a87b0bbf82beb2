"""Token shapes, one a line. Sources: the vendors' public notes on their token formats.

``(?<![A-Za-z0-9])`` stands before prefixes that end common words (``task-``, ``disk-``); distinct prefixes
are found glued to other characters too (``x_AKIA..``). Lengths are lower bounds where a cut-off token
would still be worth something. Order is priority where two rules cover the same place.
"""

from __future__ import annotations

from redaction.detectors.rule import Rule


def _rule(kind: str, triggers: str, pattern: str, example: str, group: int = 0) -> Rule:
    return Rule(id=kind, triggers=tuple(triggers.split()), pattern=pattern, example=example, group=group)


_PEM = (
    r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"[^-]*+(?:-(?!----END )[^-]*+)*+(?:-----END (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----)?"
)
_PEM_EXAMPLE = "-----BEGIN RSA PRIVATE KEY-----\n{base:64}\n{base:64}\n{base:22}==\n-----END RSA PRIVATE KEY-----"
_PUTTY = r"PuTTY-User-Key-File-[0-9]:[\s\S]*+"
_JWT = r"eyJ[A-Za-z0-9_-]{8,1024}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+){0,3}+"
_W = r"[A-Za-z0-9_-]"
_A = r"[A-Za-z0-9]"
_LEFT = r"(?<![A-Za-z0-9])"

# fmt: off
RULES: tuple[Rule, ...] = (
    _rule("private-key", "-----BEGIN", _PEM, _PEM_EXAMPLE),
    _rule("putty-key", "PuTTY-User-Key-File", _PUTTY, "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n{base:48}"),
    _rule("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{20,100}", "AGE-SECRET-KEY-1{upper:58}"),
    _rule("jwt", "eyJ", _JWT, "eyJ{word:32}.eyJ{word:60}.{word:43}"),
    _rule("aws-key-id", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,128}", "AKIA{upper:16}"),
    _rule("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"gh[pousr]_{_A}{{16,255}}", "ghp_{alnum:36}"),
    _rule("github-pat", "github_pat_", r"github_pat_[A-Za-z0-9_]{16,255}", "github_pat_{alnum:22}_{alnum:59}"),
    _rule("gitlab-token", "glpat- glptt- gldt- glrt- glcbt- glft- glimt- glagent- glsoat- gloas- glffct-",
          rf"{_LEFT}gl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|soat|oas|ffct)-[A-Za-z0-9_.-]{{16,300}}", "glpat-{word:20}"),
    _rule("slack-token", "xoxa- xoxb- xoxp- xoxo- xoxs- xoxr- xoxe- xoxc- xoxd-", r"xox[abcdeoprs]-[A-Za-z0-9%.-]{10,300}",
          "xoxb-{digits:12}-{digits:13}-{alnum:24}"),
    _rule("slack-app-token", "xapp-", rf"{_LEFT}xapp-[0-9]-[A-Z0-9]{{4,40}}-[0-9]{{4,40}}-{_A}{{16,128}}",
          "xapp-1-A{upper:10}-{digits:13}-{hex:64}"),
    _rule("slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{16,200})",
          "https://hooks.slack.com/services/T{upper:8}/B{upper:8}/{alnum:24}", 1),
    _rule("discord-webhook", "/api/webhooks/", rf"/api/webhooks/[0-9]{{8,24}}/({_W}{{20,128}})",
          "https://discord.com/api/webhooks/{digits:18}/{word:68}", 1),
    _rule("discord-token", ".", r"(?<![A-Za-z0-9_.-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])",
          "M{alnum:23}.{alnum:6}.{alnum:27}"),
    _rule("stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_", rf"[sr]k_(?:live|test)_{_A}{{10,250}}", "sk_live_{alnum:24}"),
    _rule("webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{20,128}", "whsec_{alnum:32}"),
    _rule("anthropic-key", "sk-ant-", rf"{_LEFT}sk-ant-{_W}{{16,250}}", "sk-ant-api03-{word:93}AA"),
    _rule("openrouter-key", "sk-or-", rf"{_LEFT}sk-or-v1-{_A}{{20,128}}", "sk-or-v1-{hex:64}"),
    _rule("openai-key", "sk-", rf"{_LEFT}sk-(?=[A-Za-z_-]{{0,24}}[0-9]|[a-z0-9_-]{{0,40}}[A-Z]){_W}{{20,250}}",
          "sk-proj-{alnum:20}T3BlbkFJ{alnum:20}"),
    _rule("google-api-key", "AIza", rf"AIza{_W}{{30,40}}", "AIza{word:35}"),
    _rule("google-oauth", "ya29.", rf"ya29\.{_W}{{20,2048}}", "ya29.{word:60}"),
    _rule("google-secret", "GOCSPX-", rf"GOCSPX-{_W}{{20,64}}", "GOCSPX-{word:28}"),
    _rule("google-refresh", "1//0", rf"{_LEFT}1//0{_W}{{30,512}}", "1//0{word:60}"),
    _rule("npm-token", "npm_", rf"{_LEFT}npm_{_A}{{30,64}}", "npm_{alnum:36}"),
    _rule("pypi-token", "pypi-", rf"{_LEFT}pypi-{_W}{{40,1024}}", "pypi-AgEIcHlwaS5vcmc{word:120}"),
    _rule("rubygems-key", "rubygems_", r"rubygems_[0-9a-f]{32,64}", "rubygems_{hex:48}"),
    _rule("docker-token", "dckr_pat_ dckr_oat_", rf"dckr_[po]at_{_W}{{20,64}}", "dckr_pat_{word:27}"),
    _rule("crates-token", "cio", rf"{_LEFT}cio(?=[A-Za-z]{{0,31}}[0-9]){_A}{{32}}(?!{_A})", "cio7{alnum:31}"),
    _rule("nuget-key", "oy2", rf"{_LEFT}oy2[a-z0-9]{{43}}(?!{_A})", "oy2{lower:43}"),
    _rule("sendgrid-key", "SG.", rf"{_LEFT}SG\.{_W}{{16,32}}\.{_W}{{20,64}}", "SG.{word:22}.{word:43}"),
    _rule("twilio-key", "SK", r"(?<![A-Za-z0-9_])SK[0-9a-f]{32}(?![0-9a-zA-Z])", "SK{hex:32}"),
    _rule("mailgun-key", "key-", r"(?<![A-Za-z0-9-])key-[0-9a-f]{32}(?![0-9a-zA-Z])", "key-{hex:32}"),
    _rule("mailchimp-key", "-us", r"(?<![A-Za-z0-9])[0-9a-f]{32}-us[0-9]{1,2}(?![0-9A-Za-z])", "{hex:32}-us{digits:2}"),
    _rule("brevo-key", "xkeysib-", r"xkeysib-[0-9a-f]{32,64}-?[A-Za-z0-9]{0,32}", "xkeysib-{hex:64}-{alnum:16}"),
    _rule("postman-key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{20,40}", "PMAK-{hex:24}-{hex:34}"),
    _rule("telegram-token", ":AA", rf"(?<![0-9])[0-9]{{8,10}}:AA{_W}{{33}}(?!{_W})", "{digits:10}:AA{word:33}"),
    _rule("hugging-face-token", "hf_", rf"{_LEFT}hf_{_A}{{30,64}}", "hf_{alnum:34}"),
    _rule("replicate-token", "r8_", rf"{_LEFT}r8_{_A}{{30,64}}", "r8_{alnum:37}"),
    _rule("groq-key", "gsk_", rf"{_LEFT}gsk_{_A}{{40,64}}", "gsk_{alnum:52}"),
    _rule("xai-key", "xai-", rf"{_LEFT}xai-{_A}{{40,128}}", "xai-{alnum:80}"),
    _rule("perplexity-key", "pplx-", rf"{_LEFT}pplx-{_A}{{30,64}}", "pplx-{alnum:48}"),
    _rule("tavily-key", "tvly-", rf"{_LEFT}tvly-{_W}{{20,64}}", "tvly-dev-{alnum:32}"),
    _rule("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{8,16}", "lsv2_pt_{hex:32}_{hex:10}"),
    _rule("wandb-key", "wandb_v1_", rf"wandb_v1_{_W}{{20,128}}", "wandb_v1_{alnum:77}"),
    _rule("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[0-9a-f]{32,64}", "dop_v1_{hex:64}"),
    _rule("heroku-key", "HRKU-", rf"HRKU-{_W}{{30,128}}", "HRKU-AA{word:58}"),
    _rule("fly-token", "fo1_ fm1a_ fm1r_ fm2_", rf"{_LEFT}(?:fo1|fm1a|fm1r|fm2)_[A-Za-z0-9+/=_-]{{40,2048}}", "fo1_{word:43}"),
    _rule("netlify-token", "nfp_", rf"{_LEFT}nfp_{_A}{{30,64}}", "nfp_{alnum:36}"),
    _rule("supabase-key", "sbp_ sb_secret_", rf"{_LEFT}(?:sbp_[0-9a-f]{{40}}|sb_secret_{_W}{{20,64}})", "sbp_{hex:40}"),
    _rule("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,64}", "pscale_tkn_{word:43}"),
    _rule("linear-key", "lin_api_ lin_oauth_", rf"lin_(?:api|oauth)_{_A}{{30,80}}", "lin_api_{alnum:40}"),
    _rule("notion-token", "ntn_", rf"{_LEFT}ntn_{_A}{{40,64}}", "ntn_{alnum:46}"),
    _rule("airtable-token", "pat", rf"{_LEFT}pat{_A}{{14}}\.[0-9a-f]{{64}}", "pat{alnum:14}.{hex:64}"),
    _rule("figma-token", "figd_", rf"figd_{_W}{{30,64}}", "figd_{word:40}"),
    _rule("atlassian-token", "ATATT3 ATCTT3", r"AT[AC]TT3[A-Za-z0-9_=-]{40,300}", "ATATT3xFfGF0{word:170}"),
    _rule("doppler-token", "dp.", rf"{_LEFT}dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{{30,80}}", "dp.pt.{alnum:43}"),
    _rule("vault-token", "hvs. hvb. hvr.", rf"{_LEFT}hv[sbr]\.{_W}{{20,300}}", "hvs.{word:92}"),
    _rule("terraform-token", ".atlasv1.", rf"{_LEFT}{_A}{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{40,80}}", "{alnum:14}.atlasv1.{alnum:67}"),
    _rule("pulumi-token", "pul-", r"(?<![A-Za-z0-9])pul-[0-9a-f]{40}", "pul-{hex:40}"),
    _rule("databricks-token", "dapi", r"(?<![A-Za-z0-9])dapi[0-9a-f]{32}(?:-[0-9])?", "dapi{hex:32}"),
    _rule("sentry-token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_]{40,300}", "sntryu_{hex:64}"),
    _rule("grafana-token", "glsa_ glc_", r"(?<![A-Za-z0-9])gl(?:sa|c)_[A-Za-z0-9+/=_]{30,300}", "glsa_{alnum:32}_{hex:8}"),
    _rule("new-relic-key", "NRAK- NRII- NRRA- NRBR-", rf"NR(?:AK|II|RA|BR)-{_W}{{20,64}}", "NRAK-{upper:27}"),
    _rule("dynatrace-token", "dt0c01. dt0s", r"dt0[cs][0-9]{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{40,64}", "dt0c01.{upper:24}.{upper:64}"),
    _rule("sonar-token", "sqp_ squ_ sqa_", r"(?<![A-Za-z0-9])sq[pua]_[0-9a-f]{40}", "squ_{hex:40}"),
    _rule("circleci-token", "CCIPAT_ CCIPRJ_", r"CCIP(?:AT|RJ)_[A-Za-z0-9_]{30,80}", "CCIPAT_{alnum:22}_{hex:40}"),
    _rule("buildkite-token", "bkua_", r"(?<![A-Za-z0-9])bkua_[0-9a-f]{40}", "bkua_{hex:40}"),
    _rule("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}", "shpat_{hex:32}"),
    _rule("square-token", "sq0atp- sq0csp- EAAA", rf"sq0[ac][ts]p-{_W}{{22,43}}|(?<!{_A})EAAA{_W}{{60}}(?!{_W})", "sq0atp-{word:22}"),
    _rule("alibaba-key-id", "LTAI", rf"{_LEFT}LTAI{_A}{{12,26}}(?!{_A})", "LTAI{alnum:20}"),
    _rule("azure-secret", "Q~", r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}", "abc8Q~{alnum:34}"),
    _rule("one-password-token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9_=-]{60,2048}", "ops_eyJ{alnum:250}"),
    _rule("plaid-token", "access-sandbox- access-production-", r"access-(?:sandbox|production|development)-[0-9a-f]{8}-[0-9a-f-]{27}",
          "access-production-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"),
    _rule("dropbox-token", "sl.", rf"(?<![A-Za-z0-9.])sl\.(?:u\.)?{_W}{{100,2048}}", "sl.u.{word:135}"),
    _rule("facebook-token", "EAAC EAAB EAAG EAAD", rf"{_LEFT}EAA[A-Z]{_A}{{60,512}}", "EAAC{alnum:120}"),
)
# fmt: on
