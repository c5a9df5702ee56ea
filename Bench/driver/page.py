"""Measures the dashboard in a browser: the time to its first content and to its key metrics."""

import statistics

try:  # Debian's package python3-selenium, which only Debian's Python finds
    from selenium import webdriver
    from selenium.common.exceptions import TimeoutException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None

from .collector import Collector
from .progress import log

# Milliseconds from the request to the first paint, and to the tiles of the overview.
TIMES = """
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return paint && window.tilesShown ? [paint.startTime, window.tilesShown] : null;
"""
# Each visit waits until the previous page has loaded completely.
IDLE = "return !document.querySelector('[aria-busy=true]');"
WATCH = """
    new MutationObserver((_, observer) => {
        if (!document.querySelector("main .tile")) return;
        window.tilesShown = performance.now();
        observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
"""


def overview(collector: Collector, times: int = 3) -> tuple[float, float] | None:
    """The medians of both times in milliseconds, over visits with an empty browser cache."""
    if webdriver is None:
        log("skipping the dashboard: this Python has no selenium")
        return None
    options = webdriver.ChromeOptions()
    for argument in ["headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "window-size=1280,900"]:
        options.add_argument("--" + argument)
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    try:
        driver.get(collector.program.address + "/login")
        driver.find_element("id", "key").send_keys(collector.keys["read"])
        driver.find_element("css selector", "button.primary").click()
        _wait_until_idle(driver)
        driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        taken = []
        for _ in range(times + 1):
            driver.get(collector.program.address + "/")
            taken.append(WebDriverWait(driver, 60, 0.05).until(lambda page: page.execute_script(TIMES)))
            _wait_until_idle(driver)
        # The first visit warms up the browser.
        return tuple(statistics.median(one[place] for one in taken[1:]) for place in (0, 1))
    finally:
        driver.quit()


def _wait_until_idle(driver) -> None:
    try:
        WebDriverWait(driver, 60).until(lambda page: page.execute_script(IDLE))
    except TimeoutException:
        log("the dashboard is still loading after 60 s")
