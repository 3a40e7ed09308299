"""`nijar play --web`: serves one game until Ctrl-C. It needs the extra `web` (uvicorn)."""

from __future__ import annotations

import secrets
import socket
import sys
import webbrowser
from typing import Final

import typer
import uvicorn

from .play_session import Session
from .play_table import PlayError
from .play_web import Room
from .play_web_app import allowed_hosts, is_loopback, make_app

LOOPBACK: Final = "127.0.0.1"
MAX_PORT: Final = 65535


def listen(host: str, port: int) -> socket.socket:
    """A socket for the server; port 0 is a free one.

    Raises:
        PlayError: the address cannot be had.
    """
    if not 0 <= port <= MAX_PORT:  # some systems take such a number for another one
        raise PlayError(f"cannot listen at {host}, port {port}: ports are 0 to {MAX_PORT}")
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        sock = socket.socket(family, kind, proto)
        try:
            if sys.platform != "win32":  # there it would share the port
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind(address)
            sock.listen()
        except OSError:
            sock.close()
            raise
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise PlayError(f"cannot listen at {host}, port {port}: {why}") from None
    return sock


def serve(session: Session, host: str = LOOPBACK, port: int = 0, *, browser: bool = True) -> None:
    """Serve a game's page until Ctrl-C; then save as the terminal does.

    Args:
        session: the game.
        host: where to listen.
        port: 0 for a free one.
        browser: open the page, if this is a terminal.

    Raises:
        PlayError: the address cannot be had.
    """
    sock = listen(host, port)
    with sock:
        port = sock.getsockname()[1]
        alone = is_loopback(host)
        room = Room(session, any_file=alone)
        token = secrets.token_urlsafe(16)
        app = make_app(room, session.table.game.box, token, allowed_hosts(host, port))
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{port}/{token}/"
        typer.echo(f"play at {address}   (Ctrl-C ends)")
        if not alone:
            typer.echo("whoever can reach this machine and has that address can play and look on")
        room.start()
        if browser and sys.stdout.isatty():
            webbrowser.open(address)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        try:
            uvicorn.Server(config).run(sockets=[sock])
        except KeyboardInterrupt:
            pass
        finally:
            room.stop()
    if session.table.game.done:
        typer.echo("\n" + "\n".join(session.end_lines()))
    else:
        session.stop(input, typer.echo)
