"""Child: presidio-analyzer with all its pattern recognisers and no language model, score 0.4."""

from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider

from benchmarks.redaction.contestants.interface import masked, one_by_one, serve

NLP = {"nlp_engine_name": "no_op", "models": [{"lang_code": "en", "model_name": "no_op"}]}
ANALYZER = AnalyzerEngine(nlp_engine=NlpEngineProvider(nlp_configuration=NLP).create_engine(), supported_languages=["en"])


def redact(text: str) -> str:
    found = ANALYZER.analyze(text=text, language="en", score_threshold=0.4)
    return masked(text, [(one.start, one.end) for one in found])


if __name__ == "__main__":
    serve(lambda texts: one_by_one(texts, redact))
