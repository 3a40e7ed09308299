"""The web application of `nijar play --web`: addresses, and who may use them.

It needs the extra `web` (starlette). All addresses begin with a random token, so that only who has
the address of the page can play; other pages of the same browser are refused by Host and Origin.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from .components import Box
from .play_table import PlayError
from .play_web import Order, Room, Stale
from .replay_html import replay_page

MOST_BYTES: Final = 10_000  # of a request
_TYPES: Final = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Cache-Control": "no-store",  # the way back must not show another person's view
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",  # the address has the token
    "X-Content-Type-Options": "nosniff",
}
Work = Callable[[Order], Any]


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a host is written as; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that listens there."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def allowed_hosts(host: str, port: int) -> frozenset[str] | None:
    """The Host headers that a page of this server sends; None: any, for it listens everywhere."""
    address = _address(host)
    if address is not None and address.is_unspecified:
        return None
    names = {f"[{host}]" if ":" in host else host.lower()}
    if is_loopback(host):
        names |= {"127.0.0.1", "localhost", "[::1]"}
    return frozenset({f"{name}:{port}" for name in names} | (names if port == 80 else set()))


class Guard:
    """Lets through what the page itself asks for.

    A Host that is not this server's is another site's name led here (DNS rebinding); an Origin
    that is not the Host is another site's page (CSRF). What changes the game must have an Origin
    and be JSON.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str] | None) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "http":
            fault = self._fault(Request(scope))
            if fault is not None:
                await PlainTextResponse(fault, 403, _HEADERS)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _fault(self, request: Request) -> str | None:
        host = request.headers.get("host", "").lower()
        if self._hosts is not None and host not in self._hosts:
            return "this server does not go by that name"
        origin = request.headers.get("origin")
        if request.method == "POST":
            kind = request.headers.get("content-type", "").partition(";")[0].strip()
            if origin is None or kind != "application/json":
                return "only the game's own page may ask for that"
        if origin is not None and origin.lower() != f"http://{host}":
            return "only the game's own page may ask for that"
        return None


def make_app(room: Room, box: Box, token: str, hosts: frozenset[str] | None) -> Starlette:
    """The application.

    Args:
        room: what is played.
        box: that it is played with.
        token: the first part of every address.
        hosts: see `allowed_hosts`.
    """

    def checked(
        work: Callable[[Request], Awaitable[Response]],
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            given = request.path_params["token"].encode()
            if not secrets.compare_digest(given, token.encode()):
                return PlainTextResponse(
                    "open the whole address that the terminal shows", 404, _HEADERS
                )
            return await work(request)

        return answer

    def part(name: str) -> Callable[[Request], Awaitable[Response]]:
        text = files("nijar_env").joinpath("web_page", name).read_text("utf-8")
        kind = _TYPES[name.rpartition(".")[2]]

        async def answer(request: Request) -> Response:
            headers = {**_HEADERS, "Content-Security-Policy": _POLICY}
            return Response(text, headers=headers, media_type=kind)

        return checked(answer)

    def order(work: Work) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            body = bytearray()
            async for piece in request.stream():
                body += piece
                if len(body) > MOST_BYTES:
                    return _json({"error": "the request is too long"}, 413)
            try:
                asked = msgspec.json.decode(bytes(body), type=Order)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                return _json({"error": f"not a request of the page: {error}"}, 400)
            try:
                done = await run_in_threadpool(work, asked)
            except Stale:
                return _json({"error": "the game has gone on since"}, 409)
            except PlayError as error:
                return _json({"error": str(error)}, 400)
            return _json(done or {})

        return checked(answer)

    async def state(request: Request) -> Response:
        after = request.query_params.get("after", "")
        known = int(after) if re.fullmatch("[0-9]{1,18}", after) else -1
        return _json(await run_in_threadpool(room.state, known))

    async def replay(request: Request) -> Response:
        try:
            page = await run_in_threadpool(lambda: replay_page(room.replay(), box))
        except PlayError as error:
            return PlainTextResponse(str(error), 409, _HEADERS)
        return HTMLResponse(page, headers=_HEADERS)

    works: dict[str, Work] = {
        "choose": room.choose,
        "undo": room.undo,
        "sit": room.sit,
        "hint": room.hint,
        "save": room.save,
    }
    return Starlette(
        routes=[
            Route("/{token}/", part("page.html")),
            *(Route(f"/{{token}}/{name}", part(name)) for name in ("page.css", "page.js")),
            Route("/{token}/state", checked(state)),
            Route("/{token}/replay", checked(replay)),
            *(Route(f"/{{token}}/{n}", order(work), methods=["POST"]) for n, work in works.items()),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
    )


def _json(content: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, _HEADERS, "application/json")
