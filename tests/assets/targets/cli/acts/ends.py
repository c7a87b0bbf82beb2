import argparse
import atexit
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings

logging.basicConfig(format="%(levelname)s %(message)s")
log = logging.getLogger("acts")


def usage():
    parser = argparse.ArgumentParser(description="Counts words, " + "and more words, " * 10)
    parser.add_argument("--count", type=int, default=1, choices=[1, 2])
    parser.add_argument("file", nargs="?")
    print(parser.parse_args())


def text():
    print("said before")
    sys.exit("ended with a text, \u00e9 \udcff")


def number():
    sys.exit(int(sys.argv[1]))


def nothing():
    sys.exit()


class Odd:
    def __str__(self):
        return "an odd code"


def odd():
    sys.exit(Odd())


def builtin():
    exit(4)


def copy():
    data = sys.stdin.buffer.read()
    sys.stdout.buffer.write(data[::-1])
    print(len(data), sys.stdin.buffer.name, sys.stdin.name, sys.stdin.errors, sys.stdin.encoding, file=sys.stderr)


def lines():
    for line in sys.stdin:
        print(ascii(line), end="|")


def ask():
    print(input("name? "), end="")


def bare():
    sys.stdout.write("no newline at the end")


def late():
    atexit.register(print, "first registered")
    atexit.register(print, "last registered", file=sys.stderr)
    print("main is done")


def late_failure():
    atexit.register(lambda: 1 / 0)


def crash():
    try:
        {}["missing"]
    except KeyError as exc:
        raise ValueError("outer \u00e9") from exc


class Deep(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def wordless():
    raise Deep


def hook():
    sys.excepthook = lambda kind, exc, trace: print("hooked", kind.__name__, exc, trace.tb_next is not None)
    raise ValueError("x")


def bad_hook():
    def broken(*_):
        raise RuntimeError("the hook itself")

    sys.excepthook = broken
    raise ValueError("x")


def words():
    print(sys.argv, os.path.basename(sys.argv[0]), __name__, sys.modules["__main__"].__name__, sys.modules["__main__"].__spec__.name)


def order():
    print("buffered")
    print("at once", file=sys.stderr)
    subprocess.run(["sh", "-c", "echo child; echo child err >&2"], check=False)
    sys.stdout.flush()
    os.system("echo shell")
    print("end")


def hard():
    print("lost, as nobody flushes")
    sys.stderr.write("kept")
    os._exit(5)


def terminal():
    print(shutil.get_terminal_size(), os.environ.get("COLUMNS"), [stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)])
    print(sys.stdout.line_buffering, sys.stderr.line_buffering, sys.stdout.encoding, sys.stdout.errors, sys.stderr.errors, sys.stdout.name)


def logs():
    log.warning("careful")
    log.info("not shown")
    logging.getLogger().error("bad")


class Case(unittest.TestCase):
    def test_good(self):
        pass

    def test_bad(self):
        self.assertEqual(1, 2)


def tests():
    time.perf_counter = time.time = time.monotonic = lambda: 0.0
    unittest.main(module="acts.ends", argv=["tests", "-v"])


def threads():
    def work():
        time.sleep(0.05)
        print("thread is done")

    threading.Thread(target=work).start()
    print("main is done")


def thread_crash():
    thread = threading.Thread(target=lambda: 1 / 0, name="worker")
    thread.start()
    thread.join()


class Dying:
    def __del__(self):
        sys.stdout.write("deleted\n")


def deleted():
    global kept
    kept = Dying()


def warned():
    warnings.warn("old", DeprecationWarning, stacklevel=3)
    warnings.warn("careful")


def closed():
    sys.stdout.close()
    os.close(1)


def unflushed():
    print("x")
    os.close(1)


def interrupted():
    raise KeyboardInterrupt


def killed():
    print("flushed", flush=True)
    os.kill(os.getpid(), signal.SIGTERM)


def handled():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
    os.kill(os.getpid(), signal.SIGTERM)


def forked():
    pid = os.fork()
    if pid == 0:
        print("child")
        sys.exit(0)
    os.waitpid(pid, 0)
    print("parent")


def replaced():
    sys.stdout.flush()
    os.execvp("sh", ["sh", "-c", "echo replaced; exit 6"])


def deep():
    def down(n):
        return down(n + 1)

    try:
        down(0)
    except RecursionError as exc:
        print(exc)


def files():
    for name in sorted(os.listdir(".")):
        print(name, open(name).read())
    print(os.environ.get("GIVEN"), os.getcwd() == os.environ["HOME"])


ENDS = {name: value for name, value in globals().items() if callable(value) and not isinstance(value, type)}
