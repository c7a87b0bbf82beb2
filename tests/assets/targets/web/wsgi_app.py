"""A WSGI app without a framework: one path an act."""

import os
import sys


class Closing:
    def __init__(self, parts):
        self.parts = iter(parts)

    def __iter__(self):
        return self.parts

    def close(self):
        print("closed")


def app(environ, start_response):
    return ACTS[environ["PATH_INFO"]](environ, start_response)


def echo(environ, start_response):
    seen = {key: value for key, value in sorted(environ.items()) if key not in ("wsgi.input", "wsgi.errors")}
    start_response("201 Created", [("X-One", "1"), ("X-One", "2")])
    environ["wsgi.errors"].write("logged")
    return [repr([seen, environ["wsgi.input"].read()]).encode()]


def stream(environ, start_response):
    write = start_response("200 OK", [])
    write(b"written, ")
    return Closing([b"a", b"\xc3\xa9"])


def generated(environ, start_response):
    start_response("200 Fine indeed", [])
    yield b"one"
    yield b"two"


def binary(environ, start_response):
    start_response("200 OK", [])
    return [b"\xff"]


def crash(environ, start_response):
    raise LookupError("no such thing")


def late_crash(environ, start_response):
    start_response("200 OK", [])
    yield b"half"
    raise LookupError("in the middle")


def mended(environ, start_response):
    start_response("200 OK", [])
    try:
        raise ValueError("x")
    except ValueError:
        start_response("500 Oops", [], sys.exc_info())
    return [b"sorry"]


def unmendable(environ, start_response):
    start_response("200 OK", [])
    yield b"half"
    try:
        raise ValueError("too late")
    except ValueError:
        start_response("500 Oops", [], sys.exc_info())


def silent(environ, start_response):
    return []


def early(environ, start_response):
    return [b"x"]


def twice(environ, start_response):
    start_response("200 OK", [])
    start_response("200 OK", [])
    return []


def text(environ, start_response):
    start_response("200 OK", [])
    return ["text"]


def env(environ, start_response):
    start_response("200 OK", [])
    return [repr([os.environ.get("MODE"), os.path.exists("in.txt")]).encode()]


ACTS = {"/" + name: act for name, act in list(globals().items()) if callable(act) and name not in ("app", "Closing")}
ACTS["/\xc3\xa9"] = echo


def create_app():
    return app


number = 3
