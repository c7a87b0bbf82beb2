"""Work together: chat, documents, tasks, design, social networks, and hooks that need no other secret."""

from __future__ import annotations

from redaction.detectors.rule import LEFT, RIGHT, UUID, UUID_EXAMPLE, A, Rule, W, rule

# A word behind the prefix is a name (`xoxo-gossip-girl-xoxo`); a token goes on with figures, or with a long mixed run.
_SLACK = r"xox[abcdeoprs]-(?:(?=[0-9])|(?=[A-Za-z%]{1,40}[0-9])(?=[A-Za-z0-9%]{9}))[A-Za-z0-9%._-]{10,300}"

# fmt: off
PEOPLE: tuple[Rule, ...] = (
    rule("slack-token", "xoxa- xoxb- xoxp- xoxo- xoxs- xoxr- xoxe- xoxe. xoxc- xoxd-", _SLACK, "xoxb-{digits:12}-{digits:13}-{alnum:24}"),
    rule("slack-app-token", "xapp-", rf"{LEFT}xapp-[0-9]-[A-Z0-9]{{4,40}}-[0-9]{{4,40}}-{A}{{16,128}}",
         "xapp-1-A{upper:10}-{digits:13}-{hex:64}"),
    rule("slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{16,200})",
         "https://hooks.slack.com/services/T{upper:8}/B{upper:8}/{alnum:24}", 1),
    rule("discord-webhook", "/api/webhooks/", rf"/api/webhooks/[0-9]{{8,24}}/({W}{{20,128}})",
         "https://discord.com/api/webhooks/{digits:18}/{word:68}", 1),
    rule("telegram-token", ":AA tgram://", rf"(?:(?<![0-9])[0-9]{{6,10}}:AA|tgram://[0-9]{{8,10}}:{W}{{2}}){W}{{20,33}}(?!{W})",
         "{digits:10}:AA{word:33}"),
    rule("zapier-webhook", "hooks.zapier.com", r"hooks\.zapier\.com/hooks/catch/([A-Za-z0-9/_-]{10,80})",
         "https://hooks.zapier.com/hooks/catch/{digits:8}/{lower:7}/", 1),
    rule("make-webhook", ".make.com/", r"hook\.[a-z0-9]{2,5}\.make\.com/([A-Za-z0-9]{12,64})", "https://hook.eu1.make.com/{lower:32}", 1),
    rule("tines-webhook", ".tines.com/webhook/", r"\.tines\.com/webhook/([A-Za-z0-9/_-]{30,160})",
         "https://x.tines.com/webhook/{hex:32}/{hex:32}", 1),
    rule("ifttt-key", "maker.ifttt.com", rf"maker\.ifttt\.com/trigger/[\w-]{{1,80}}/(?:json/)?with/key/({W}{{16,64}})",
         "https://maker.ifttt.com/trigger/door/with/key/{word:43}", 1),
    rule("linear-key", "lin_api_ lin_oauth_ lin_wh_", rf"lin_(?:api|oauth|wh)_{A}{{30,80}}", "lin_api_{alnum:40}"),
    rule("notion-token", "ntn_ secret_", rf"{LEFT}(?:ntn_{A}{{40,64}}|secret_(?=[A-Za-z]{{0,42}}[0-9]){A}{{43}}{RIGHT})", "ntn_{alnum:46}"),
    rule("airtable-token", "pat", rf"{LEFT}pat{A}{{14}}\.[0-9a-f]{{64}}", "pat{alnum:14}.{hex:64}"),
    rule("asana-token", "/1", r"(?<![0-9])[0-2]/[0-9]{15,17}(?:/[0-9]{15,17})?:[0-9a-f]{32}", "1/1{digits:15}:{hex:32}"),
    rule("clickup-token", "pk_", r"(?<![A-Za-z0-9_])pk_[0-9]{5,12}_[A-Z0-9]{30,34}(?![A-Z0-9])", "pk_{digits:8}_{upper:32}"),
    rule("trello-token", "ATTA", r"(?<![A-Za-z0-9])ATTA[0-9a-fA-F]{60,80}", "ATTA{hex:72}"),
    rule("figma-token", "figd_ figu_ figo_", rf"fig[duo]_{W}{{30,64}}", "figd_{word:40}"),
    rule("dropbox-token", "sl.", rf"(?<![A-Za-z0-9.])sl\.(?:u\.)?{W}{{100,2048}}", "sl.u.{word:135}"),
    rule("facebook-token", "EAA", rf"{LEFT}EAA[A-Z](?=[A-Z]{{0,60}}[a-z0-9]){A}{{60,512}}", "EAAC{alnum:120}"),
    rule("facebook-app-token", "|", rf"(?<![0-9])[0-9]{{8,20}}\|(?=[A-Za-z_-]{{0,26}}[0-9]){W}{{12,27}}(?!{W})", "{digits:16}|7{alnum:26}"),
    rule("instagram-token", "IGQ IGAA THAA", rf"{LEFT}(?:IGQ|IGAA|THAA){W}{{80,512}}", "IGQW{alnum:150}"),
    rule("twitter-bearer", "AAAAAAAAAAAAAAAAAAAAA", r"(?<![A-Za-z0-9])AAAAAAAAAAAAAAAAAAAAA(?=[A-Za-z%]{0,40}[0-9])[A-Za-z0-9%]{60,160}",
         "AAAAAAAAAAAAAAAAAAAAA7{alnum:80}"),
    rule("linkedin-secret", "WPL_AP1.", r"WPL_AP1\.[A-Za-z0-9+/=.]{8,40}", "WPL_AP1.{alnum:16}"),
    rule("pinterest-token", "pina_", rf"{LEFT}pina_{A}{{30,100}}", "pina_{alnum:64}"),
    rule("twitch-token", "oauth:", r"(?<![A-Za-z0-9])oauth:([a-z0-9]{30})(?![A-Za-z0-9])", "oauth:{lower:30}", 1),
    rule("adafruit-key", "aio_", rf"{LEFT}aio_{A}{{28}}{RIGHT}", "aio_{alnum:28}"),
    rule("cal-key", "cal_live_", rf"{LEFT}cal_live_[0-9a-f]{{32}}", "cal_live_{hex:32}"),
    rule("riot-key", "RGAPI-", rf"RGAPI-{UUID}", f"RGAPI-{UUID_EXAMPLE}"),
    rule("intra-token", "s-s4t2ud- s-s4t2af-", rf"{LEFT}s-s4t2(?:ud|af)-[0-9a-f]{{64}}", "s-s4t2ud-{hex:64}"),
)
# fmt: on
