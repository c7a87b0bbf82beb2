"""Models, agents and what serves them."""

from __future__ import annotations

from redaction.detectors.rule import LEFT, RIGHT, UUID, UUID_EXAMPLE, A, Rule, W, rule

# fmt: off
AI: tuple[Rule, ...] = (
    rule("anthropic-key", "sk-ant-", rf"{LEFT}sk-ant-{W}{{16,250}}", "sk-ant-api03-{word:93}AA"),
    rule("openrouter-key", "sk-or-", rf"{LEFT}sk-or-v1-{A}{{20,128}}", "sk-or-v1-{hex:64}"),
    rule("langfuse-key", "sk-lf-", rf"{LEFT}sk-lf-{UUID}", f"sk-lf-{UUID_EXAMPLE}"),
    rule("openai-key", "sk-", rf"{LEFT}sk-(?=[A-Za-z_-]{{0,24}}[0-9]|[a-z0-9_-]{{0,40}}[A-Z]){W}{{20,250}}",
         "sk-proj-{alnum:20}T3BlbkFJ{alnum:20}"),
    rule("hugging-face-token", "hf_ api_org_", rf"{LEFT}(?:hf|api_org)_{A}{{30,64}}", "hf_{alnum:34}"),
    rule("replicate-token", "r8_", rf"{LEFT}r8_{A}{{30,64}}", "r8_{alnum:37}"),
    rule("groq-key", "gsk_", rf"{LEFT}gsk_{A}{{40,64}}", "gsk_{alnum:52}"),
    rule("xai-key", "xai-", rf"{LEFT}xai-(?:token-)?[A-Za-z0-9_]{{40,128}}", "xai-{alnum:80}"),
    rule("perplexity-key", "pplx-", rf"{LEFT}pplx-{A}{{30,64}}", "pplx-{alnum:48}"),
    rule("cerebras-key", "csk-", rf"{LEFT}csk-{A}{{40,64}}", "csk-{lower:48}"),
    rule("together-key", "tgp_v1_", rf"tgp_v1_{W}{{36,64}}", "tgp_v1_{word:43}"),
    rule("fireworks-key", "fw_", rf"{LEFT}fw_(?=[A-Za-z]{{0,21}}[0-9]){A}{{22,32}}{RIGHT}", "fw_3{alnum:23}"),
    rule("friendli-token", "flp_", rf"{LEFT}flp_{A}{{36,64}}", "flp_{alnum:46}"),
    rule("nvidia-key", "nvapi-", rf"{LEFT}nvapi-{W}{{40,90}}", "nvapi-{word:64}"),
    rule("tavily-key", "tvly-", rf"{LEFT}tvly-{W}{{20,64}}", "tvly-dev-{alnum:32}"),
    rule("firecrawl-key", "fc-", rf"{LEFT}fc-[0-9a-f]{{32}}{RIGHT}", "fc-{hex:32}"),
    rule("jina-key", "jina_", rf"{LEFT}jina_{W}{{40,80}}", "jina_{alnum:60}"),
    rule("voyage-key", "pa-", rf"{LEFT}(?:pa|al)-(?=[a-z0-9-]{{0,30}}[A-Z])(?=[A-Za-z-]{{0,30}}[0-9]){W}{{40,48}}(?!{W})",
         "pa-7X{alnum:41}"),
    rule("llama-cloud-key", "llx-", rf"{LEFT}llx-{A}{{40,64}}", "llx-{alnum:48}"),
    rule("langsmith-key", "lsv2_ ls__", rf"{LEFT}(?:lsv2_(?:pt|sk)_[0-9a-f]{{32}}_[0-9a-f]{{8,16}}|ls__[0-9a-f]{{32}})",
         "lsv2_pt_{hex:32}_{hex:10}"),
    rule("wandb-key", "wandb_v1_", rf"wandb_v1_{W}{{20,128}}", "wandb_v1_{alnum:77}"),
    rule("elevenlabs-key", "sk_", rf"{LEFT}sk_[0-9a-f]{{40,64}}{RIGHT}", "sk_{hex:48}"),
    rule("cursor-key", "key_", rf"{LEFT}key_(?:[0-9a-f]{{64}}|[0-9a-f]{{128}}){RIGHT}", "key_{hex:64}"),
    rule("runpod-key", "rpa_", rf"{LEFT}rpa_[A-Z0-9]{{30,64}}", "rpa_{upper:46}"),
    rule("modal-key", "ak- as-", rf"{LEFT}a[ks]-(?=[A-Za-z]{{0,21}}[0-9])(?=[a-z0-9]{{0,21}}[A-Z]){A}{{22}}{RIGHT}", "ak-7X{alnum:20}"),
    rule("sandbox-key", "e2b_", rf"{LEFT}e2b_[0-9a-f]{{40}}", "e2b_{hex:40}"),
    rule("browserbase-key", "bb_live_", rf"{LEFT}bb_live_{W}{{20,64}}", "bb_live_{word:27}"),
    rule("memory-key", "m0-", rf"{LEFT}m0-{A}{{36,48}}{RIGHT}", "m0-{alnum:40}"),
    rule("anyscale-key", "esecret_", rf"{LEFT}esecret_{A}{{20,64}}", "esecret_{alnum:27}"),
    rule("cartesia-key", "sk_car_", rf"sk_car_{W}{{20,64}}", "sk_car_{alnum:22}"),
    rule("humanloop-key", "hl_sk_", rf"{LEFT}hl_sk_{A}{{36,64}}", "hl_sk_{alnum:48}"),
    rule("brave-key", "BSA", rf"{LEFT}BSA(?=[A-Za-z_-]{{0,27}}[0-9])(?=[A-Z0-9_-]{{0,27}}[a-z]){W}{{28}}(?!{W})", "BSA7x{word:26}"),
    rule("frame-token", "fio-u-", rf"{LEFT}fio-u-{W}{{40,80}}", "fio-u-{word:64}"),
)
# fmt: on
