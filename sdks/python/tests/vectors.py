"""Reads sdks/keeper-vectors.json."""

import json
from pathlib import Path

VECTORS = json.loads((Path(__file__).parents[2] / "keeper-vectors.json").read_text(encoding="utf-8"))
if VECTORS["version"] != 1:
    raise RuntimeError("these vectors need a newer runner")


def with_texts(value):
    """The same value with each `@name` replaced by the text of that name."""
    if isinstance(value, str) and value.startswith("@"):
        return VECTORS["texts"].get(value[1:], value)
    if isinstance(value, list):
        return [with_texts(each) for each in value]
    if isinstance(value, dict):
        return {name: with_texts(each) for name, each in value.items()}
    return value


def key_set(reference="@keys.first"):
    return json.loads(with_texts(reference))["keys"]
