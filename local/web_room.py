"""The page of a room on this machine: what is served, and whom the room lets in from a browser."""

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from local.stack import REGION, Deployed
from local.web_pages import config, headers, pages
from local.web_server import WebServer

ORIGINS: Final = "AllowedOrigins"
"""The template's parameter: pages of these origins may connect."""


def open_page(web: WebServer, folder: Path, room: Deployed) -> None:
    """Serve the built client in this folder for this room. Raises RoomError where it is not whole.

    Its browsers ask the local AWS itself for tokens, which is another origin, as on AWS.
    """
    told = config(room.outputs, REGION, room.websocket_url, room.endpoint)
    websocket = urlsplit(room.websocket_url)
    web.open(
        pages(folder, told), headers(f"{websocket.scheme}://{websocket.netloc}", room.endpoint)
    )
