"""An ASGI app without a framework: one path an act."""

import asyncio
import contextlib
import json
import os

EVENTS = []


async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        await receive()
        EVENTS.append("up")
        scope["state"]["greeting"] = "hello"
        await send({"type": "lifespan.startup.complete"})
        await receive()
        EVENTS.append("down")
        await send({"type": "lifespan.shutdown.complete"})
        return
    await ACTS[scope["path"]](scope, receive, send)


async def reply(send, body=b"", status=200, headers=(), more=False):
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body, "more_body": more})


async def echo(scope, receive, send):
    body = (await receive())["body"]
    seen = {key: scope[key] for key in ("method", "path", "query_string", "raw_path", "scheme", "http_version", "client", "server")}
    seen.update({"headers": scope["headers"], "body": body, "state": scope["state"], "events": EVENTS[:]})
    await reply(send, repr(sorted(seen.items())).encode(), 201, [(b"x-one", b"1"), (b"x-one", b"2"), (b"content-type", b"text/plain")])


async def stream(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    waiting = asyncio.ensure_future(receive_twice(receive))
    for part in (b"a", b"", b"\xc3\xa9"):
        await asyncio.sleep(0)
        assert not waiting.done(), "the client went away in the middle"
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body"})
    assert (await waiting)["type"] == "http.disconnect"


async def receive_twice(receive):
    await receive()
    return await receive()


async def binary(scope, receive, send):
    await reply(send, b"\xff\x00")


async def crash(scope, receive, send):
    raise LookupError("no such thing")


async def late_crash(scope, receive, send):
    await reply(send, b"half", more=True)
    raise LookupError("in the middle")


async def silent(scope, receive, send):
    pass


async def half(scope, receive, send):
    await reply(send, b"half", more=True)


async def out_of_turn(scope, receive, send):
    await send({"type": "http.response.body", "body": b"x"})


async def twice(scope, receive, send):
    await reply(send)
    await reply(send)


async def env(scope, receive, send):
    print("served")
    await reply(send, json.dumps([os.environ.get("MODE"), os.path.exists("in.txt")]).encode())


async def leave(scope, receive, send):
    raise SystemExit(3)


ACTS = {"/" + act.__name__: act for act in (echo, stream, binary, crash, late_crash, silent, half, out_of_turn, twice, env, leave)}
ACTS["/a b"] = echo


async def plain(scope, receive, send):
    """Knows no lifespan."""
    assert scope["type"] == "http"
    await reply(send, b"plain")


async def broken(scope, receive, send):
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.failed", "message": "no database"})
        return
    await reply(send, b"never")


async def sinking(scope, receive, send):
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        raise OSError("cannot close")
    await reply(send, b"fine")


async def staying(scope, receive, send):
    """Never ends its lifespan."""
    if scope["type"] == "lifespan":
        with contextlib.suppress(asyncio.CancelledError):
            while True:
                message = await receive()
                await send({"type": message["type"] + ".complete"})
        return
    await reply(send, b"fine")


class App:
    async def __call__(self, scope, receive, send):
        await plain(scope, receive, send)


def create_app():
    return App()
