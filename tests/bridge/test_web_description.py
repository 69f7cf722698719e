"""The description of the server is true: every route is described, and answers what it says."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from bridge.config import WebSettings, parse
from bridge.web.server import DESCRIPTION
from tests.web import Stage, Visitor, config_of, staged

PAGES = ("/board/", "/overlay/", "/login", "/arbiter", "/operator", "/assets/", "/{name}")


PAGE = Path(__file__).resolve().parents[2] / "docs" / "web.md"


def described() -> dict[str, Any]:
    paths: dict[str, Any] = yaml.safe_load(DESCRIPTION.read_text("utf-8"))["paths"]
    return paths


def test_every_route_is_described(tmp_path: Path) -> None:
    stage = Stage(config_of(tmp_path))
    served = {
        (str(route.resource.canonical), route.method.lower())
        for route in stage.web.app().router.routes()
        if route.resource is not None and route.method != "HEAD"
    }
    known = {(path, method) for path, methods in described().items() for method in methods}
    pages = {each for each in served if each[0] == "/" or each[0].startswith(PAGES)}
    assert served - pages == known


def test_the_description_is_served(tmp_path: Path) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        answer = await visitor.get("/api/v1/openapi.yaml")
        assert (await answer.text()).startswith("openapi: 3.")

    staged(act, Stage(config_of(tmp_path)))


@pytest.mark.parametrize("number", [0, 1])
def test_configurations_in_the_page_have_no_problems(number: int, tmp_path: Path) -> None:
    blocks = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert parse(blocks[number], tmp_path / "hall.yaml").web is not None
    assert len(blocks) == 2


def test_the_page_has_every_key() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named >= set(WebSettings.__dataclass_fields__)
