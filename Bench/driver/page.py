"""The dashboard in a browser: how long after the request its first content is there, and its first numbers."""

import statistics

try:  # Debian's python3-selenium, which another Python than Debian's may not find
    from selenium import webdriver
    from selenium.common.exceptions import TimeoutException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None

from .collector import Collector
from .progress import say

# Milliseconds from the request until the first paint, and until the tiles of the overview stand there.
TIMES = """
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return paint && window.numbersShown ? [paint.startTime, window.numbersShown] : null;
"""
# A visit that begins before the last has all of its page shares the machine with it.
QUIET = "return !document.querySelector('[aria-busy=true]');"
WATCH = """
    new MutationObserver((_, observer) => {
        if (!document.querySelector("main .tile")) return;
        window.numbersShown = performance.now();
        observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
"""


def overview(collector: Collector, times: int = 3) -> tuple[float, float] | None:
    """The medians of both times, in milliseconds, of visits that find nothing in the browser's cache."""
    if webdriver is None:
        say("the dashboard is left out: this Python has no selenium")
        return None
    options = webdriver.ChromeOptions()
    for argument in ["headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "window-size=1280,900"]:
        options.add_argument("--" + argument)
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    try:
        driver.get(collector.program.address + "/login")
        driver.find_element("id", "key").send_keys(collector.keys["read"])
        driver.find_element("css selector", "button.primary").click()
        _settle(driver)
        driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        taken = []
        for _ in range(times + 1):
            driver.get(collector.program.address + "/")
            taken.append(WebDriverWait(driver, 60, 0.05).until(lambda page: page.execute_script(TIMES)))
            _settle(driver)
        # The first starts the browser's own parts.
        return tuple(statistics.median(one[place] for one in taken[1:]) for place in (0, 1))
    finally:
        driver.quit()


def _settle(driver) -> None:
    try:
        WebDriverWait(driver, 60).until(lambda page: page.execute_script(QUIET))
    except TimeoutException:
        say("a part of the dashboard still loads after 60 s")
