"""Sessions of the app without a browser: the protocol of a page over its websocket."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

# Longer than anybody waits.
PATIENCE = 600.0
# A page may come with a whole picture.
MAX_MESSAGE = 2**28


@dataclass
class Session:
    """Record of one visitor.

    Attributes
    ----------
    seconds : list of float
        Time of every page, from the request until it is complete.
    errors : list of str
        Tracebacks that a page showed, and pages that never ended.
    """

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


async def visit(url: str, pages: Sequence[tuple[str, str]]) -> Session:
    """Open a session, and request one page after the other.

    Parameters
    ----------
    url : str
        URL of the app.
    pages : sequence of (str, str)
        Name of a page, and the parameters of its URL.
    """
    session, place = Session(), urlsplit(url).netloc
    async with connect(
        f"ws://{place}/_stcore/stream",
        origin=f"http://{place}",
        subprotocols=["streamlit"],
        max_size=MAX_MESSAGE,
        ping_interval=None,
    ) as line:
        for page, parameters in pages:
            begin = time.perf_counter()
            try:
                await asyncio.wait_for(_page(line, page, parameters, session), PATIENCE)
            except TimeoutError:
                session.errors.append(f"{page}?{parameters} never ended")
                break
            session.seconds.append(time.perf_counter() - begin)
    return session


async def _page(line: ClientConnection, page: str, parameters: str, session: Session) -> None:
    requested = BackMsg()
    requested.rerun_script.page_name = page
    requested.rerun_script.query_string = parameters
    await line.send(requested.SerializeToString())
    while True:
        heard = ForwardMsg()
        data = await line.recv()
        assert isinstance(data, bytes)
        heard.ParseFromString(data)
        if heard.HasField("delta") and heard.delta.new_element.HasField("exception"):
            reported = heard.delta.new_element.exception
            session.errors.append(f"{page}?{parameters}: {reported.type}: {reported.message}")
        if heard.HasField("page_not_found"):
            session.errors.append(f"there is no page {page}")
        # A script that is asked for anew in the middle ends early, and begins again.
        if heard.WhichOneof("type") == "script_finished" and (
            heard.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        ):
            return
