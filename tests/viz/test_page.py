"""The page in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from examples import GRAPH, LORA_PAPER, NEO_ABSTRACT, NEO_SENTENCE
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from methodmap.graph.network import to_network
from methodmap.viz.network_html import write

Open: TypeAlias = Callable[..., Chrome]

MAP = to_network(GRAPH)
PLACE = """
const node = methodmap.nodes.find((each) => each.key === arguments[0]);
const { x, y } = methodmap.network.canvasToDOM({ x: node.x, y: node.y });
return [Math.round(x), Math.round(y)];
"""
SHOWN = "return methodmap.nodes.filter((node) => node.shown).map((node) => node.key)"
DRAWN = """
const canvas = document.querySelector("canvas");
const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
return new Set(pixels).size;
"""


@pytest.fixture
def open_page(browser: Chrome, tmp_path: Path) -> Open:
    """Write a map's page and open it, with an optional hash."""

    def opened(g: Any = MAP, anchor: str = "") -> Chrome:
        path = tmp_path / "map.html"
        write(g, path, "Toys")
        browser.get("about:blank")
        browser.get_log("browser")  # type: ignore[no-untyped-call]  # selenium leaves it untyped
        browser.get_log("performance")  # type: ignore[no-untyped-call]  # selenium leaves it untyped
        browser.get(path.as_uri() + anchor)
        WebDriverWait(browser, 20).until(lambda driver: driver.execute_script("return Boolean(window.methodmap)"))
        return browser

    return opened


def _panel(page: Chrome) -> str:
    return page.find_element(By.ID, "panel").text


def _click_node(page: Chrome, key: str) -> None:
    x, y = page.execute_script(PLACE, key)
    _click(page, x, y)


def _click(page: Chrome, x: int, y: int) -> None:
    box = page.find_element(By.ID, "canvas").rect
    ActionChains(page).move_to_element_with_offset(
        page.find_element(By.ID, "canvas"), int(x - box["width"] / 2), int(y - box["height"] / 2)
    ).click().perform()


def _wait(page: Chrome, condition: Callable[[Chrome], Any]) -> None:
    WebDriverWait(page, 10).until(condition)


def test_loads_silently_draws_and_asks_for_nothing(open_page: Open) -> None:
    """No console message, a canvas that is not blank, and no request but the file's own."""
    page = open_page()
    assert page.execute_script(DRAWN) > 20
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]  # selenium leaves it untyped
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]  # type: ignore[no-untyped-call]  # as above
    asked = [message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"]
    assert [url for url in asked if not url.startswith("data:")] == [page.current_url]


def test_counts_and_legend(open_page: Open) -> None:
    """The heading counts what is shown; the legend lists the kinds of this map with their counts."""
    page = open_page()
    assert page.find_element(By.ID, "counts").text == "2 papers · 6 entities · 9 links"
    assert page.find_element(By.ID, "kinds").text.split("\n")[1:] == [
        "Papers", "2", "Methods", "3", "Datasets", "1", "Tasks", "1", "Metrics", "1",
    ]  # fmt: skip


def test_search_finds_by_alias_and_enter_selects(open_page: Open) -> None:
    """An alias leads to its entity: the hit says by which name it was found, Enter selects it and shows the panel."""
    page = open_page()
    page.find_element(By.TAG_NAME, "body").send_keys("/")
    page.switch_to.active_element.send_keys("tta")
    hits = page.find_elements(By.CSS_SELECTOR, "#hits [role=option]")
    assert [hit.text.split("\n") for hit in hits] == [["Test-time adaptation", "1 paper", "TTA"]]
    page.switch_to.active_element.send_keys(Keys.ENTER)
    assert "Also: TTA" in _panel(page)
    assert page.execute_script("return location.hash") == "#node=task/test-time-adaptation"
    assert not page.find_element(By.ID, "hits").is_displayed()


def test_search_without_a_hit_says_so(open_page: Open) -> None:
    """A name that the map lacks is answered, and Enter then does nothing."""
    page = open_page()
    query = page.find_element(By.ID, "query")
    query.send_keys("BERT", Keys.ENTER)
    assert page.find_element(By.ID, "hits").text == "No name like this on the map"
    assert not page.find_element(By.ID, "panel").is_displayed()


def test_kind_filter_hides_and_reset_shows(open_page: Open) -> None:
    """A cleared box hides the kind's nodes from the drawing and the counts; the button brings everything back."""
    page = open_page()
    page.find_element(By.CSS_SELECTOR, "#kinds [data-name=Method]").click()
    assert page.execute_script(SHOWN) == [
        "dataset/imagenet-c",
        "metric/accuracy",
        "paper/000-06",
        "paper/lora-x",
        "task/test-time-adaptation",
    ]
    assert page.execute_script("return methodmap.network.body.nodes[2].options.hidden") is True
    assert page.find_element(By.ID, "counts").text == "2 papers · 3 entities · 4 links"
    page.find_element(By.ID, "reset").click()
    assert len(page.execute_script(SHOWN)) == 8
    assert page.execute_script("return methodmap.network.body.nodes[2].options.hidden") is False
    assert not page.find_element(By.ID, "reset").is_displayed()


def test_link_filter_takes_along_what_is_only_known_by_it(open_page: Open) -> None:
    """Without the link "uses", LoRA, which is only used, is gone; ImageNet-C, also evaluated on, stays."""
    page = open_page()
    page.find_element(By.CSS_SELECTOR, "#linkfilter summary").click()
    page.find_element(By.CSS_SELECTOR, "#links [data-name=uses]").click()
    shown = page.execute_script(SHOWN)
    assert "method/lora" not in shown
    assert "dataset/imagenet-c" in shown


@pytest.mark.parametrize(
    ("slider", "presses", "gone"),
    [
        ("papers", 1, {"method/lora", "method/neo", "method/tent", "metric/accuracy", "task/test-time-adaptation"}),
        ("confidence", 17, {"metric/accuracy"}),
    ],
)
def test_limits(open_page: Open, slider: str, presses: int, gone: set[str]) -> None:
    """The sliders, moved by the keyboard, keep what enough papers name, and what is sure enough (here 0.85)."""
    page = open_page()
    page.find_element(By.CSS_SELECTOR, "#limits summary").click()
    page.find_element(By.ID, slider).send_keys(*[Keys.ARROW_RIGHT] * presses)
    assert set(MAP) - set(page.execute_script(SHOWN)) == gone


def test_click_on_an_entity_shows_papers_and_marked_sentences(open_page: Open) -> None:
    """The panel of a clicked entity: kind, marks, paper and role, the sentence exactly as the source has it, its words marked."""
    page = open_page()
    _click_node(page, "method/tent")
    _wait(page, lambda driver: driver.find_element(By.ID, "panel").is_displayed())
    lines = _panel(page).split("\n")
    assert lines[:2] == ["Method", "baseline"]
    assert "TENT" in lines
    assert "Baseline in 1" in _panel(page).replace("\n1", " 1")
    quote = page.find_element(By.CSS_SELECTOR, "#panel .quote")
    assert page.execute_script("return arguments[0].firstChild.textContent", quote) == NEO_SENTENCE[:25]
    assert quote.text == NEO_SENTENCE
    assert quote.find_element(By.TAG_NAME, "mark").text == "TENT"
    assert "90%" in lines
    assert "59.2% accuracy by NEO on ImageNet-C, against 55.6% TENT" in lines


def test_names_in_the_panel_lead_on_and_back(open_page: Open) -> None:
    """A name is a button that jumps to its node; the browser's Back returns."""
    page = open_page(anchor="#node=method/tent")
    page.find_element(By.CSS_SELECTOR, "#panel [data-key='paper/000-06']").click()
    assert page.execute_script("return location.hash") == "#node=paper/000-06"
    assert page.execute_script("return document.activeElement.id") == "panel"
    page.back()
    _wait(page, lambda driver: driver.find_element(By.CSS_SELECTOR, "#panel h2").text == "TENT")


def test_paper_panel(open_page: Open) -> None:
    """A paper's panel: venue, source, its entities under their roles, and its abstract with all their names marked."""
    page = open_page(anchor="#node=paper/000-06")
    text = _panel(page)
    assert "ICLR 2026" in text
    assert "seeds/toy.txt:3" in text
    titles = [title.text.split("\n")[0].rstrip(" 0123456789") for title in page.find_elements(By.CSS_SELECTOR, "#panel h3")]
    assert titles == ["Results", "Proposes", "Compares with", "Evaluates on", "Addresses", "Reports"]
    page.find_element(By.CSS_SELECTOR, ".abstract summary").click()
    abstract = page.find_element(By.CSS_SELECTOR, ".abstract p")
    assert abstract.text == NEO_ABSTRACT
    marks = [mark.text for mark in abstract.find_elements(By.TAG_NAME, "mark")]
    assert marks == ["Test-time adaptation", "TTA", "NEO", "TENT", "ImageNet-C", "accuracy"]


def test_click_on_an_edge_shows_its_evidence(open_page: Open) -> None:
    """A click between two nodes shows the link, its confidence, the sentence and that it is hedged."""
    page = open_page(anchor="")
    ends = [page.execute_script(PLACE, key) for key in ("paper/lora-x", "dataset/imagenet-c")]
    _click(page, *[round(sum(end[axis] for end in ends) / 2) for axis in (0, 1)])
    _wait(page, lambda driver: driver.find_element(By.ID, "panel").is_displayed())
    assert "↓ uses" in _panel(page)
    assert "Confidence 70%" in _panel(page)
    assert page.find_element(By.CSS_SELECTOR, "#panel mark").text == "ImageNet-C"


def test_selection_fades_the_rest_until_escape(open_page: Open) -> None:
    """Neighbours stay, the others fade; Escape ends it, and so does a click on empty space."""
    opacities = "return methodmap.nodes.map((node) => methodmap.network.body.nodes[node.id].options.opacity)"
    page = open_page(anchor="#node=method/lora")
    assert page.execute_script(opacities) == [0.1, 1, 0.1, 0.1, 0.1, 0.1, 1, 0.1]
    page.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
    assert page.execute_script(opacities) == [1] * 8
    assert not page.find_element(By.ID, "panel").is_displayed()
    assert page.execute_script("return location.hash") == ""
    page.execute_script("methodmap.select('method/lora')")
    _click(page, 640, page.execute_script("return innerHeight") - 6)
    _wait(page, lambda driver: not driver.find_element(By.ID, "panel").is_displayed())


def test_hostile_text_stays_text(open_page: Open) -> None:
    """Markup, scripts and links in labels, titles, abstracts and urls are shown as typed: nothing runs, nothing becomes an element."""
    nasty = "<img src=x onerror='window.hacked=1'></script><script>window.hacked=1</script><a href='//evil'>x</a>"
    entities = tuple(replace(entity, label=nasty) if entity.id == "method/lora" else entity for entity in GRAPH.entities)
    papers = (GRAPH.papers[0], replace(LORA_PAPER, title=nasty, venue=nasty, url="javascript:window.hacked=1"))
    page = open_page(to_network(replace(GRAPH, papers=papers, entities=entities)), "#node=paper/lora-x")
    assert nasty in _panel(page)
    assert "javascript:window.hacked=1" in _panel(page)
    assert page.find_elements(By.CSS_SELECTOR, "#panel a, #panel img") == []
    assert "test <it> on" in _panel(page)
    x, y = page.execute_script(PLACE, "method/lora")
    box = page.find_element(By.ID, "canvas")
    ActionChains(page).move_to_element_with_offset(box, int(x - box.rect["width"] / 2), int(y - box.rect["height"] / 2)).perform()
    _wait(page, lambda driver: nasty in (driver.find_element(By.CSS_SELECTOR, ".vis-tooltip").text or ""))
    assert page.find_elements(By.CSS_SELECTOR, ".vis-tooltip :not(br)") == []
    page.find_element(By.ID, "query").send_keys("img")
    assert page.find_element(By.CSS_SELECTOR, "#hits .name").text == nasty
    assert page.execute_script("return window.hacked") is None
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]  # selenium leaves it untyped


def test_web_addresses_are_links(open_page: Open) -> None:
    """A paper's http address is a link that tells the other side nothing."""
    page = open_page(anchor="#node=paper/lora-x")
    link = page.find_element(By.CSS_SELECTOR, "#panel a")
    assert link.get_attribute("href") == "https://example.org/lora-x"
    assert link.get_attribute("rel") == "noopener noreferrer"


@pytest.mark.parametrize("anchor", ["#node=method/none", "#node=%E0%A4%A", "#other"])
def test_unknown_anchor_is_no_error(open_page: Open, anchor: str) -> None:
    """A link to a node that this map lacks opens the whole map."""
    page = open_page(anchor=anchor)
    assert not page.find_element(By.ID, "panel").is_displayed()
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]  # selenium leaves it untyped


def test_selecting_what_is_filtered_out_brings_it_back(open_page: Open) -> None:
    """Search looks at the whole map; what it finds is shown even if a filter hid it."""
    page = open_page()
    page.find_element(By.CSS_SELECTOR, "#kinds [data-name=Method]").click()
    page.find_element(By.ID, "query").send_keys("NEO", Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
    assert "method/neo" in page.execute_script(SHOWN)


def test_empty_map(open_page: Open) -> None:
    """A map of nothing opens without an error and says so."""
    page = open_page(to_network(replace(GRAPH, papers=(), entities=(), links=(), statements=(), results=())))
    assert page.find_element(By.ID, "counts").text == "0 papers · 0 entities · 0 links"
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]  # selenium leaves it untyped


def test_a_smaller_window_still_shows_the_whole_map(open_page: Open) -> None:
    """A window that changes its size after the page has loaded has every node in it, as long as nothing is selected."""
    page = open_page()
    inside = """
    const { clientWidth, clientHeight } = document.getElementById("canvas");
    return methodmap.nodes.every((node) => {
      const { x, y } = methodmap.network.canvasToDOM({ x: node.x, y: node.y });
      return x > 0 && y > 0 && x < clientWidth && y < clientHeight;
    });
    """
    page.execute_script("methodmap.network.moveTo({ position: { x: 5000, y: 0 }, animation: false })")
    assert not page.execute_script(inside)
    before = page.get_window_size()
    try:
        page.set_window_size(900, 700)
        _wait(page, lambda driver: driver.execute_script(inside))
    finally:
        page.set_window_size(before["width"], before["height"])
