"""Sessions of the app without a browser: the protocol of a page over its websocket."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

# Seconds; longer than any visitor waits.
PATIENCE = 600.0
# A page may come with a whole picture.
MAX_MESSAGE = 2**28
# Errors of a connection that cannot be made or that the server ends.
LOST = (WebSocketException, OSError)
ALERTS = {Alert.ERROR: "error", Alert.WARNING: "warning"}


@dataclass
class Record:
    """What visitors experienced.

    Attributes
    ----------
    seconds : dict of str to list of float
        Time from each request until its page is complete, by the kind of request.
    errors : list of str
        Tracebacks that a page showed, pages that never ended, and lost connections.
    messages : Counter of str
        Errors and warnings that pages showed as sentences.
    sessions, updates, closed : int
        Sessions that were opened, updates of live parts of a page, and links to pages that need
        what the workspace lacks.
    """

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    messages: Counter[str] = field(default_factory=Counter)
    sessions: int = 0
    updates: int = 0
    closed: int = 0


class Session:
    """One visitor's connection, and the page that is open in it."""

    def __init__(self, line: ClientConnection, record: Record) -> None:
        self._line, self._record = line, record
        self.page, self.address = "", ""
        self._box = ""
        # Live parts of the page: seconds between updates, and the moment of the next one.
        self._live: dict[str, tuple[float, float]] = {}
        # Live parts that the present run of the script has drawn.
        self._drawn: set[str] = set()
        self._is_begun = False

    @property
    def has_box(self) -> bool:
        """Whether the page has a box for a query."""
        return bool(self._box)

    async def open(self, page: str, parameters: str) -> None:
        """Open a page, and wait until it is complete."""
        self.page, self.address, self._box = page, parameters, ""
        await self._timed(page, self._request())

    async def type(self, text: str) -> None:
        """Type a query into the box of the page, and wait for the answer."""
        assert self._box, f"{self.page} has no box for a query"
        requested = self._request()
        box = requested.rerun_script.widget_states.widgets.add()
        box.id, box.string_value = self._box, text
        await self._timed("typed query", requested)

    async def stay(self, seconds: float) -> None:
        """Look at the page; its live parts request updates, as they do in a browser."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            for part, (wait, moment) in self._live.items():
                if moment <= now:
                    await self._line.send(self._request(part).SerializeToString())
                    self._record.updates += 1
                    self._live[part] = wait, now + wait
            until = min([end, *(moment for _, moment in self._live.values())])
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hear(), max(until - now, 0.01))

    def _request(self, live_part: str = "") -> BackMsg:
        requested = BackMsg()
        requested.rerun_script.page_name = self.page
        requested.rerun_script.query_string = self.address
        if live_part:
            requested.rerun_script.fragment_id = live_part
            requested.rerun_script.is_auto_rerun = True
        return requested

    async def _timed(self, kind: str, requested: BackMsg) -> None:
        begin = time.perf_counter()
        self._is_begun = False
        await self._line.send(requested.SerializeToString())
        try:
            await asyncio.wait_for(self._until_complete(), PATIENCE)
        except TimeoutError:
            self._record.errors.append(f"{self.page}?{self.address} never ended")
            return
        self._record.seconds.setdefault(kind, []).append(time.perf_counter() - begin)

    async def _until_complete(self) -> None:
        # A run of the script from before the request may still end, and a script that is requested
        # again in the middle ends early and begins again.
        while await self._hear() != ForwardMsg.FINISHED_SUCCESSFULLY or not self._is_begun:
            pass

    async def _hear(self) -> int | None:
        """Take in one message; return how the script ended, or None if it continues."""
        heard = ForwardMsg()
        data = await self._line.recv()
        assert isinstance(data, bytes)
        heard.ParseFromString(data)
        kind = heard.WhichOneof("type")
        if kind == "delta":
            self._see(heard.delta.new_element)
        elif kind == "page_info_changed":
            self.address = heard.page_info_changed.query_string
        elif kind == "new_session":
            self._is_begun = True
            self._drawn.clear()
        elif kind == "auto_rerun":
            part, wait = heard.auto_rerun.fragment_id, heard.auto_rerun.interval
            self._drawn.add(part)
            self._live[part] = wait, time.monotonic() + wait
        elif kind == "stop_auto_rerun":
            for part in heard.stop_auto_rerun.fragment_ids:
                self._live.pop(part, None)
        elif kind == "page_not_found":
            self._record.errors.append(f"there is no page {self.page}")
        if kind != "script_finished":
            return None
        if heard.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            self._live = {part: self._live[part] for part in self._live if part in self._drawn}
        return heard.script_finished

    def _see(self, element: Element) -> None:
        """Record what an element of the page reports, and the id of the box for a query."""
        kind = element.WhichOneof("type")
        if kind == "exception":
            shown = f"{element.exception.type}: {element.exception.message}"
            self._record.errors.append(f"{self.page}?{self.address}: {shown}")
        elif kind == "alert" and element.alert.format in ALERTS:
            shown = f"{ALERTS[element.alert.format]} on {self.page}: {element.alert.body}"
            self._record.messages[shown] += 1
        elif kind == "page_link":
            self._record.closed += element.page_link.disabled
        elif kind == "text_input" and not self._box:
            self._box = element.text_input.id


@asynccontextmanager
async def session(url: str, record: Record) -> AsyncIterator[Session]:
    """Connect to the app at a URL; raises one of `LOST` if the connection fails or ends."""
    place = urlsplit(url).netloc
    record.sessions += 1
    async with connect(
        f"ws://{place}/_stcore/stream",
        origin=f"http://{place}",
        subprotocols=["streamlit"],
        max_size=MAX_MESSAGE,
        ping_interval=None,
        open_timeout=PATIENCE,
    ) as line:
        yield Session(line, record)
