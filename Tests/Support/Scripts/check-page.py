#!/usr/bin/python3
"""check-page.py look|judge URL NAMES [FOLDER]
Looks at netwatch's page in Chromium and writes a word for each thing that is as it should be. NAMES is a JSON list of the targets
that are watched; in FOLDER pictures are left.
look: as people do, and then waits until the service is gone and is back.
judge: has axe-core (pip install axe-selenium-python) look for what keeps people from using it.
"""
import json
import pathlib
import shutil
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys

task, url, names = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
folder = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None
PATIENCE = 90


def axe():
    for base in map(pathlib.Path, sys.path):
        for path in base.glob("axe_selenium_python/node_modules/axe-core/axe.min.js"):
            return path.read_text()
    raise SystemExit("axe-selenium-python is not installed")


def wait(what, condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.1)
    raise SystemExit(f"{what} did not come:\n{driver.page_source[-3000:]}")


def say(word):
    print(word, flush=True)


def media(**features):
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]},
    )


def judge(look):
    if folder:
        driver.save_screenshot(str(folder / f"page-{look}.png"))
    if task != "judge":
        return
    driver.execute_script(axe())
    found = driver.execute_async_script(
        "const done = arguments[0]; axe.run().then(r => done(r.violations.map(v => v.id + ': '"
        " + v.nodes.map(n => n.html.slice(0, 200)).join(' '))), e => done([String(e)]))"
    )
    if found:
        raise SystemExit(f"{look}: {found}")
    say(f"accessible {look}")


options = Options()
options.binary_location = shutil.which("chromium")
for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1100,1400"]:
    options.add_argument(argument)
options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
try:
    driver.get(url)

    def shown():
        return driver.execute_script("return [...rows.keys()]")

    wait("the targets", lambda: sorted(shown()) == sorted(names))
    texts = driver.execute_script("return [...document.querySelectorAll('#list .name')].map(n => n.textContent)")
    assert sorted(texts) == sorted(name[:300] for name in names), texts
    assert not driver.execute_script("return document.querySelectorAll('#list script, #list img').length")
    say("names")
    wait("a verdict", lambda: driver.execute_script("return document.querySelector('#headline').textContent") != "Looking…")
    wait("the day", lambda: driver.execute_script("return document.querySelectorAll('#day rect').length") > 0)
    wait("changes", lambda: driver.execute_script("return document.querySelectorAll('#log time').length") > 0)
    exporters = "return document.querySelector('#exports:not([hidden]) .bad')?.parentElement.textContent ?? ''"
    wait("the webhook that nobody answers", lambda: "webhook-127.0.0.1" in driver.execute_script(exporters))
    say("exporters")
    say("verdict " + driver.execute_script("return document.querySelector('#headline').textContent"))

    # By the keyboard alone, and the focus stays where it is when something changes.
    for _ in range(40):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        if driver.switch_to.active_element.tag_name == "summary":
            break
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    wait("the details", lambda: driver.execute_script("return document.querySelectorAll('details[open] .inside p').length") > 0)
    driver.execute_script("render()")
    assert driver.switch_to.active_element.tag_name == "summary"
    say("keyboard")

    media(prefers_color_scheme="light")
    judge("light")
    light = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    media(prefers_color_scheme="dark")
    time.sleep(0.5)
    assert light != driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    judge("dark")
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 1600, "deviceScaleFactor": 1, "mobile": True}
    )
    time.sleep(0.5)
    width = driver.execute_script("return document.documentElement.scrollWidth")
    assert width <= 360, width
    judge("360px")
    say("narrow")
    if task == "judge":
        sys.exit(0)

    def lead(targets, **state):
        return driver.execute_script(
            "const [state, targets] = arguments; return verdict({ interfaces: ['eth0'], reachability: 'ethernet',"
            " connectivity: 'full', ...state, targets: new Map(targets.map(one => [one.target, one])) })[2]",
            state,
            targets,
        )

    lost = {"reachability": "none", "connectivity": "none", "interfaces": [], "reason": "no-path"}
    cable = lead([], **lost, path={"reason": "no-carrier"})
    assert cable == "This host has no way out: no cable, or no radio contact.", cable
    half = [{"target": "shop", "status": "up"}, {"target": "cam", "status": "unknown"}]
    assert lead(half) == "Enough answers, by cable (eth0). Not so, or not known: cam.", lead(half)
    assert lead(half[:1]) == "All that is watched answers, by cable (eth0).", lead(half[:1])
    assert lead(half, reason="endpoints-unreachable").startswith("No check address answers")
    say("words")

    # A row shows what came last, also once it was opened and is closed again.
    wait("the details of the row", lambda: driver.execute_script("return [...rows.values()].some(row => row.detail)"))
    latest = driver.execute_script(
        "const [name, row] = [...rows].find(one => one[1].detail); row.root.open = false;"
        " state.probes.set(name, [{ target: name, outcome: 'success', duration: 0.123 }]); renderTargets();"
        " return row.root.querySelector('.state').textContent"
    )
    assert "123 ms" in latest, latest
    say("latest")

    foreign = driver.execute_script(
        "return performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith(arguments[0]))", url
    )
    assert not [name for name in foreign if not name.startswith("data:")], foreign
    refused = driver.execute_script(
        "try { document.body.innerHTML = '<p>'; return 'taken' } catch (error) { return error.name }"
    )
    assert refused == "TypeError", refused
    log = [line for line in driver.get_log("browser") if "TrustedHTML" not in line["message"]]
    assert not log, log
    say("nothing-from-outside")

    wait("a word that the service is gone", lambda: not driver.execute_script("return document.querySelector('#lost').hidden"))
    say("lost")
    wait("the service again", lambda: driver.execute_script("return document.querySelector('#lost').hidden"))
    wait("the targets again", lambda: sorted(shown()) == sorted(names))
    say("back")
finally:
    driver.quit()
