"""The console script `shadow`: checks that the installed packages are ours, runs one command, turns errors into exit codes.

Only the standard library is imported here; `--version` needs nothing more. Exit codes: design, section 4.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from gate.errors import ShadowError

PACKAGES = ("gate", "redaction", "prelabel", "prompts")


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    for name in ("stdout", "stderr"):  # closed by whoever started us: the exit code still counts
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # open to the end
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # nobody reads it, or the disk is full: what was decided stays decided
            continue
    # Everything is written and every process of ours is gone: taking hundreds of modules apart again is a tenth of a short run.
    os._exit(code)


def run(arguments: list[str]) -> int:
    """The exit code of one command. Prints what a user needs to know about an error; never a bare traceback."""
    # Imports make tens of thousands of objects that stay; looking for garbage among them is a tenth of the start.
    gc.set_threshold(50_000, 20, 20)
    if (what := misplaced()) is not None:
        print(
            f"{what}\n  install shadow into an environment of its own (pipx, uv tool), or take that folder off PYTHONPATH", file=sys.stderr
        )
        return 70
    if arguments == ["--version"]:
        from gate import __version__

        print(f"shadow {__version__}")
        return 0
    for kind in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(kind) is not signal.SIG_IGN:  # as `nohup` leaves it
            signal.signal(kind, _interrupt)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored by whoever started us, no child's end could be waited for
    return run_command(arguments)


def run_command(arguments: list[str]) -> int:
    """The exit code of one command of the app, whatever ends it."""
    try:
        from gate.config import is_ci

        if is_ci():
            from gate.terminal import publish_through
            from prelabel.payload import public_screen

            publish_through(public_screen())
        if arguments[:1] == ["compare"]:
            from gate.config.argv import plain

            if (given := plain(arguments[1:])) is not None:
                from gate.compare_command import compare
                from prelabel.payload import public_reader

                flags, quiet = given
                return compare(flags, quiet=quiet, public=public_reader)
        from prelabel.cli import make_app

        code = make_app(arguments[0] if arguments else None)(arguments, standalone_mode=False)
    except (Exception, KeyboardInterrupt, SystemExit) as ended:  # noqa: BLE001  # the one boundary
        return exit_code_of(ended, arguments)
    return exit_code_of(SystemExit(code), arguments)  # typer makes an exit code of Ctrl-C


def exit_code_of(ended: BaseException, arguments: list[str]) -> int:
    """The exit code of what ended a command, after saying what the user needs to know. What is not foreseen is a bug of ours."""
    from gate.errors import EXIT_BUG, EXIT_INTERRUPTED, EXIT_INVALID, ShadowError

    match ended:
        case SystemExit(code=int(code)) if code != EXIT_INTERRUPTED:
            left = code
        case SystemExit(code=None):
            left = 0
        case ShadowError():
            left = fail(ended)
        case KeyboardInterrupt() | SystemExit():  # typer takes Ctrl-C first, and says nothing
            for kind in (
                signal.SIGINT,
                signal.SIGTERM,
                signal.SIGHUP,
            ):  # everything is cleaned up; a second one must not end this in a traceback
                signal.signal(kind, signal.SIG_IGN)
            print("interrupted", file=sys.stderr)
            left = EXIT_INTERRUPTED
        case BrokenPipeError():
            left = EXIT_BUG  # the reader of our output went away before the command had ended
        case FileNotFoundError(filename=None):
            complain("the current folder is not there any more\n  change into one that is")
            left = EXIT_INVALID
        case OSError(filename=str(name)):
            complain(f"{name}: {ended.strerror}\n  name another file or folder, or mend its permissions")
            left = EXIT_INVALID
        case _ if (said := _of_click(ended)) is not None:
            text, left = said
            complain(text)
        case _:
            left = report_bug(ended, arguments)
    return left


def misplaced() -> str | None:
    """What is wrong with the four packages: they must lie beside each other, not be a user's own `gate/` on the path.

    Looks for them without importing any: a foreign one must not run.
    """
    from importlib.util import find_spec

    home = Path(__file__).resolve().parent.parent
    for name in PACKAGES:
        spec = find_spec(name)
        found = Path(spec.origin).resolve() if spec and spec.origin else None
        if found != home / name / "__init__.py":
            where = found.parent if found else "nowhere"
            return f"package `{name}` was found at {where}, not beside the rest of shadow in {home}"
    return None


def fail(error: ShadowError) -> int:
    """Print an error of ours on standard error; its exit code."""
    complain("\n".join(error.lines()))
    return error.exit_code


def complain(text: str, *, without: str = "an error message was held back") -> None:
    """Print on standard error. Where logs are public it is redacted: it may quote the target, a file or the command line.

    ``without``: what is said, with nobody's text in it, where redaction itself is what is broken.
    """
    from gate.config import is_ci

    if is_ci():
        try:
            from prelabel.payload import public_error

            text = public_error(text)
        except Exception as broken:  # noqa: BLE001  # whatever is wrong with redaction, the text does not leave without it
            text = f"{without}: redaction failed ({type(broken).__name__}); run the command outside CI to read more"
    print(text, file=sys.stderr)


def _of_click(ended: BaseException) -> tuple[str, int] | None:
    """What the reader of the command line has to say, and the exit code; None for what is not of it (typer may bring its own click)."""
    show, code = getattr(ended, "show", None), getattr(ended, "exit_code", None)
    if not callable(show) or not isinstance(code, int):
        return None
    import io

    said = io.StringIO()
    show(file=said)
    return said.getvalue().rstrip("\n"), code


def report_bug(error: BaseException, arguments: list[str]) -> int:
    """Keep the traceback in a file and name it: exit code 70."""
    import tempfile
    import traceback

    from gate import __version__
    from gate.errors import EXIT_BUG

    told = "".join(traceback.format_exception(error))
    text = f"shadow {__version__}, Python {sys.version}\narguments: {arguments!r}\n\n{told}"
    try:
        from prelabel.payload import crash_text

        text = crash_text(text)
    except Exception:  # noqa: BLE001  # redaction itself may be what is broken: then places in our code, and no text of anybody's
        text = "".join(f"{place.filename}:{place.lineno} {place.name}\n" for place in traceback.extract_tb(error.__traceback__))
    with tempfile.NamedTemporaryFile(
        "w", prefix="shadow-bug-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
    ) as file:
        file.write(text)
    said = f"a bug in shadow: {type(error).__name__}; the traceback is in {file.name}"
    complain(
        f"{said}\n  please report it with that file (redacted; look through it all the same: it may quote your data)",
        without=f"a bug in shadow: {type(error).__name__}; the traceback is in a file named shadow-bug-*.txt",
    )
    return EXIT_BUG


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    """SIGTERM ends a run as Ctrl-C does: nothing stays behind."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
