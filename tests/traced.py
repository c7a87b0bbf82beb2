"""Coverage of the two files that run in foreign interpreters: ``worker.py`` and ``rule_child.py``.

They cannot be measured as other child processes are: their environment is built and not inherited, nothing of the
tests' packages may be importable there, what they fork is inside a sandbox that writes no files, and ends without
ceremony. So coverage's tracer, a single compiled file, is loaded past the import system into an interpreter of the
tests' own version, and what it saw crosses in shared memory when a process forks or ends.

`interpreter` gives an executable to start instead of the plain one; `hand_in` makes a coverage file of what was seen.
Without coverage both do nothing. This file itself runs in the foreign interpreter: it imports what the worker does.
"""

import atexit
import os
import sys

SLOTS = 1 << 16  # of eight bytes; an arc between two lines takes one
PACKED = (1 << 28) - 1


class Seen:
    """A table of numbers in a file that processes map at once."""

    def __init__(self, path):
        import mmap
        import struct

        self.word = struct.Struct("<Q")
        fd = os.open(path, os.O_RDWR)
        twin = os.dup(fd)  # the number that the map's own descriptor will have: no descriptor is left that a target could meet
        os.close(twin)
        self.map = mmap.mmap(fd, SLOTS * 8)
        os.close(fd)
        os.close(twin)

    def add(self, number):
        at = number * 0x9E3779B97F4A7C15 >> 40
        for _ in range(SLOTS):
            at = (at + 1) % SLOTS
            (there,) = self.word.unpack_from(self.map, at * 8)
            if there == number:
                return
            if there == 0:
                self.word.pack_into(self.map, at * 8, number)
                (there,) = self.word.unpack_from(self.map, at * 8)
                if there == number:
                    return


def trace(tracer, table, files, *, often):
    """Trace these files in this process and what it forks, until it ends."""
    import _imp  # and not importlib.util, which would load half of the library into the target's process
    from _frozen_importlib import ModuleSpec

    made = _imp.create_dynamic(ModuleSpec("coverage.tracer", None, origin=tracer))
    _imp.exec_dynamic(made)
    seen, data = Seen(table), {}

    def should(name, frame):
        found = made.CFileDisposition()
        found.original_filename = found.canonical_filename = found.source_filename = name
        found.trace, found.reason, found.file_tracer, found.has_dynamic_filename = name in files, "", None, False
        return found

    tracing = made.CTracer()
    tracing.data, tracing.trace_arcs, tracing.should_trace, tracing.should_trace_cache = data, True, should, {}
    tracing.warn = tracing.lock_data = tracing.unlock_data = lambda *_: None
    tracing.concur_id_func = tracing.should_start_context = tracing.switch_context = None
    tracing.file_tracers, tracing.disable_plugin, tracing.check_include = {}, None, None
    settrace, fork, leave, write, add_hook, become = sys.settrace, os.fork, os._exit, os.write, sys.addaudithook, os.execve

    def put():
        for number, name in enumerate(files):
            arcs = data.get(name, ())
            for arc in tuple(arcs):
                seen.add(arc | (number + 1) << 58)
            if arcs:
                arcs.clear()

    def forks():
        put()
        return fork()

    def leaves(code):
        put()
        leave(code)

    def becomes(*what):
        put()
        become(*what)

    def writes(fd, words):
        put()
        return write(fd, words)

    def hooks(hook):
        getattr(hook, "__func__", hook).__cantrace__ = True
        add_hook(hook)

    def traces(function):  # the worker takes away what a target has set; ours stays
        settrace(function)
        if function is None:
            tracing.start()

    atexit.register(put)  # programs end as interpreters do
    sys.settrace, os.fork, os._exit, os.execve, sys.addaudithook = traces, forks, leaves, becomes, hooks
    if often:  # it is killed when it is no longer needed
        os.write = writes
    tracing.start()
    return put


# ------------------------------------------------------------------ in the process of the tests

_MADE = {}  # plain executable: traced one


def _files():
    from pathlib import Path

    gate = Path(__file__).parents[1] / "gate"
    return [str(gate / "worker" / "worker.py"), str(gate / "canonical" / "rule_child.py")]


def _folder():
    import tempfile
    from pathlib import Path

    shared = Path("/dev/shm")  # the one place outside a worker's own folder that its sandbox leaves open
    folder = Path(tempfile.mkdtemp(prefix="traced-", dir=shared if os.access(shared, os.W_OK | os.X_OK) else None))
    with (folder / "seen").open("wb") as file:
        file.truncate(SLOTS * 8)
    return folder


def interpreter(plain):
    """An executable that runs the two files under the tracer and all else as ``plain`` does; ``plain`` itself without coverage."""
    import coverage

    if coverage.Coverage.current() is None or sys.implementation.name != "cpython":
        return plain
    try:
        from coverage import tracer
    except ImportError:  # a coverage without its compiled half
        return plain
    if plain not in _MADE:
        import shlex

        folder = _MADE[None].parent if None in _MADE else _folder()
        _MADE[None] = folder / "seen"
        boot = folder / "boot.py"
        boot.write_text(
            f"import sys; t = type(sys)('traced'); t.__file__ = {__file__!r}\n"
            "with open(t.__file__, 'rb') as f: exec(compile(f.read(), t.__file__, 'exec'), t.__dict__)\n"
            f"t.trace({tracer.__file__!r}, {str(_MADE[None])!r}, {_files()!r}, often=sys.argv[1:2] == {_files()[1:]!r})\n"
        )
        wrapper = folder / f"python{len(_MADE)}"
        # What `-c` says, or the rule process's script, runs behind the boot; anything else is started as it is.
        wrapper.write_text(
            f"""#!/bin/sh
boot={shlex.quote(f"exec(open({str(boot)!r}).read())")}
script={shlex.quote(_files()[1])}
n=$#
while [ $n -gt 0 ]; do
  one=$1; shift; n=$((n - 1))
  case "$last$one" in
    -c*worker*) one="$boot
$one" ;;
    "$last$script") set -- "$@" -c "$boot
import sys; sys.argv = sys.argv[1:]; exec(compile(open(sys.argv[0]).read(), sys.argv[0], 'exec'))" ;;
  esac
  set -- "$@" "$one"; last=$one
done
exec {shlex.quote(str(plain))} "$@"
"""
        )
        wrapper.chmod(0o755)
        _MADE[plain] = wrapper
    return _MADE[plain]


def hand_in():
    """Write what was seen as one more coverage file, to be combined with the others."""
    if not _MADE:
        return
    import shutil
    import struct

    import coverage

    current = coverage.Coverage.current()
    data = coverage.CoverageData(basename=current.get_option("run:data_file"), suffix=True)
    found = {}
    for (word,) in struct.iter_unpack("<Q", _MADE[None].read_bytes()):
        if word:
            first, second = word & PACKED, word >> 28 & PACKED
            found.setdefault(_files()[(word >> 58) - 1], set()).add(
                (-first if word >> 56 & 1 else first, -second if word >> 57 & 1 else second)
            )
    data.add_arcs(found)
    data.write()
    shutil.rmtree(_MADE[None].parent)
    _MADE.clear()
