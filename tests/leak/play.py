"""The command line as `shadow` starts it, after what a test wants to break.

LEAK_CRASH=module:function   that function raises, with all of its arguments in the message, as a careless bug would
LEAK_RAW=1                   redaction gives back what it was given, and the last look sees nothing: does the oracle find it?
LEAK_TOLD=file               every process that is started writes its command line and environment there
"""

import importlib
import os
import subprocess
import sys


def crash(place):
    module, _, name = place.partition(":")
    found = importlib.import_module(module)
    owner, _, leaf = name.rpartition(".")

    def broken(*arguments, **named):
        held = arguments, named
        raise RuntimeError(f"broken with {held!r}")

    setattr(getattr(found, owner) if owner else found, leaf, broken)


def raw():
    import redaction.look
    import redaction.scope

    redaction.scope.Scope.rewrite = lambda self, texts, **more: list(texts)
    for module in [module for name, module in sys.modules.items() if name.partition(".")[0] == "redaction"]:
        for name in ("leaks", "finds"):
            if hasattr(module, name):
                setattr(module, name, lambda *_, **__: ())


def told(file):
    def note(arguments, environment):
        with open(file, "ab") as out:  # noqa: PTH123
            out.write(f"{arguments!r} {environment!r}\n".encode("utf-8", "surrogateescape"))

    def watched(start):
        def spawn(path, argv, env, **more):
            note(argv, env)
            return start(path, argv, env, **more)

        return spawn

    os.posix_spawn, os.posix_spawnp = watched(os.posix_spawn), watched(os.posix_spawnp)
    begin = subprocess.Popen.__init__

    def popen(self, args, *more, env=None, **named):
        note(args, env)
        begin(self, args, *more, env=env, **named)

    subprocess.Popen.__init__ = popen


if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120
    if os.environ.get("LEAK_RAW"):
        raw()
    if os.environ.get("LEAK_TOLD"):
        told(os.environ["LEAK_TOLD"])
    if os.environ.get("LEAK_CRASH"):
        crash(os.environ["LEAK_CRASH"])
    from prelabel.__main__ import main

    main()
