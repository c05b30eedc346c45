"""HTML files without network access, made of a template, styles, scripts and data."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Any

ASSETS = files("orrery.assets")
TOPIC_MAP = ("parts", "topic-map", "topic-map-nesting", "topic-map-saving")
LOCAL_MODEL = ("shared/parts.js", "shared/local-model.js", "shared/local-model-shapes.js")
# Characters that could end a script, or begin a tag or a comment inside one.
_NOT_IN_SCRIPTS = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028"}
_NOT_IN_SCRIPTS["\u2029"] = "\\u2029"


def asset(name: str) -> str:
    """Content of a text file in the assets."""
    return (ASSETS / name).read_text(encoding="utf-8")


def topic_map_script() -> str:
    """Scripts that declare ``drawTopicMap``, the map of nested boxes."""
    return "\n".join(asset(f"shared/{name}.js") for name in TOPIC_MAP)


def topic_map_style() -> str:
    """Styles of the map of nested boxes; they use the variables of a Streamlit theme."""
    return asset("shared/parts.css") + asset("shared/topic-map.css")


def local_model_script(*more: str) -> str:
    """Scripts that declare ``drawLocalModel``, the picture of a local model, and ``more``."""
    return "\n".join(asset(name) for name in (*LOCAL_MODEL, *more))


def local_model_style() -> str:
    """Styles of the picture of a local model; they use the variables of a Streamlit theme."""
    return asset("shared/parts.css") + asset("shared/local-model.css")


def script_json(value: Any) -> str:
    """JSON that is safe inside a script of a page, whatever its strings contain."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign, escaped in _NOT_IN_SCRIPTS.items():
        text = text.replace(sign, escaped)
    return text


def web_page(
    template: str,
    title: str,
    data: Any,
    scripts: Sequence[str],
    style: str,
    strings: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """Fill a template.

    Parameters
    ----------
    template : str
        Name of the asset with the fields ``{{head}}``, ``{{title}}``, ``{{style}}``, ``{{data}}``
        and ``{{scripts}}``.
    title : str
        Plain text; it is escaped here.
    data : any
        Any value that JSON can hold; the scripts read it from the element ``data``.
    scripts : sequence of str
        Trusted sources, in this order.
    style : str
        Name of the asset with the styles.
    strings : mapping of str to str
        Further texts of the template by the names of their places, escaped here.
    """
    # A library may have the end of a script in a string, in which "\/" means the same.
    sources = [re.sub(r"</(script)", r"<\\/\1", source, flags=re.IGNORECASE) for source in scripts]
    filled = {
        **{name: html.escape(text) for name, text in strings.items()},
        "head": asset("shared/head.html").rstrip(),
        "title": html.escape(title),
        "style": asset(style),
        "data": script_json(data),
        "scripts": "\n".join(f"<script>\n{source}\n</script>" for source in sources),
    }
    return fill_template(template, filled)


def fill_template(template: str, filled: Mapping[str, str]) -> bytes:
    """Replace each ``{{field}}`` of an asset by HTML; the values are not searched for fields.

    The caller escapes what is not HTML.
    """
    page = re.sub(r"\{\{(\w+)\}\}", lambda found: filled[found[1]], asset(template))
    return page.encode("utf-8")
