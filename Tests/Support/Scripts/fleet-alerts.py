#!/usr/bin/python3
"""fleet-alerts.py rules RULES       writes what `promtool test rules` is to judge the rules by
fleet-alerts.py names             writes the names of the situations
fleet-alerts.py alerts SITUATION  writes the alerts of one as Alertmanager takes them
A fleet of four sites with four hosts each; Bern and Basel are connected by Alpnet, Chur and Sion by another. Each situation breaks one
thing at the tenth minute. The first of its alerts is the cause; Alertmanager is to keep the others quiet."""

import json
import sys

SITES = {"Bern": "Alpnet", "Basel": "Alpnet", "Chur": "Other", "Sion": "Other"}
HOSTS = [(site, number) for site in SITES for number in range(1, 5)]
ALERTS = {
    "NetwatchFleetBroken": ("critical", "fleet", "{part} of all hosts are cut off or down"),
    "NetwatchTargetDown": ("critical", "target", "{target} is down for {part} of the hosts that can tell"),
    "NetwatchTargetDownAtSite": ("warning", "target-at-site", "site {site}: {target} is down for {part} of its hosts"),
    "NetwatchProviderBroken": ("critical", "provider", "provider {provider}: {part} of its hosts are cut off or down"),
    "NetwatchSiteBroken": ("critical", "site", "site {site}: {part} of its hosts are cut off or down"),
    "NetwatchSiteLostMedium": ("warning", "medium", "site {site}: {part} of the hosts that used {state} lost it"),
    "NetwatchHostCutOff": ("warning", "host", "{instance} is cut off: it does not answer the scrape, and may be well where it is"),
    "NetwatchHostDown": ("warning", "host", "{instance} says that its way is broken"),
}
FLEET_DESCRIPTION = "Look at Prometheus' own way first: it is the only thing that all of them have in common."


def of_host(name, site, number):
    return name, {"instance": f"{site}-{number}:19115", "site": site, "provider": SITES[site]}, ""


def well(host):
    return True


SITUATIONS = {
    "all is well": ({}, []),
    "a target is down for nearly all": (
        {"state": lambda h: "limited", "target": lambda h: h == ("Sion", 1)},
        [("NetwatchTargetDown", {"target": "api"}, "93.75%")]
        + [("NetwatchTargetDownAtSite", {"target": "api", "site": s}, "100%") for s in ("Basel", "Bern", "Chur")],
    ),
    "a target is down for one host": (
        {"state": lambda h: "limited" if h == ("Bern", 1) else "full", "target": lambda h: h != ("Bern", 1)},
        [],
    ),
    "a target is down at one site": (
        {"state": lambda h: "limited" if h[0] == "Bern" else "full", "target": lambda h: h[0] != "Bern"},
        [("NetwatchTargetDownAtSite", {"target": "api", "site": "Bern"}, "100%")],
    ),
    "the line of a site is cut": (
        {"up": lambda h: h[0] != "Chur"},
        [("NetwatchSiteBroken", {"site": "Chur"}, "100%")] + [of_host("NetwatchHostCutOff", "Chur", n) for n in range(1, 5)],
    ),
    "a provider is down at its sites": (
        {"up": lambda h: SITES[h[0]] != "Alpnet"},
        [("NetwatchProviderBroken", {"provider": "Alpnet"}, "100%")]
        + [of_host("NetwatchHostCutOff", s, n) for s in ("Bern", "Basel") for n in range(1, 5)],
    ),
    "the cable of one host is pulled": ({"up": lambda h: h != ("Sion", 3)}, [of_host("NetwatchHostCutOff", "Sion", 3)]),
    "one host says that its way is broken": (
        {"state": lambda h: "local" if h == ("Sion", 3) else "full", "target": lambda h: None if h == ("Sion", 3) else True},
        [of_host("NetwatchHostDown", "Sion", 3)],
    ),
    "a site goes on by another medium": (
        {"medium": lambda h: "wwan" if h[0] == "Bern" else "ethernet"},
        [("NetwatchSiteLostMedium", {"site": "Bern", "state": "ethernet"}, "100%")],
    ),
    "nothing answers any more": (
        {"up": lambda h: False},
        [("NetwatchFleetBroken", {}, "100%")]
        + [("NetwatchProviderBroken", {"provider": p}, "100%") for p in ("Alpnet", "Other")]
        + [of_host("NetwatchHostCutOff", *h) for h in HOSTS],
    ),
}


def series(up=well, state=lambda h: "full", target=well, medium=lambda h: "ethernet"):
    """The samples of ten minutes in which all is well and of fifteen as the situation has it."""
    for host in HOSTS:
        site, number = host
        labels = f'instance="{site}-{number}:19115", job="netwatch", site="{site}", provider="{SITES[site]}"'
        answers = up(host)

        def values(before, after):
            return f"{before}x40 " + ("stale" if after is None or not answers else f"{after}x60")

        yield f"up{{{labels}}}", f"1x40 {int(answers)}x60"
        for word in ("full", "limited", "local", "none", "portal"):
            name = f'netwatch_connectivity_state{{{labels}, state="{word}"}}'
            yield name, values(int(word == "full"), int(state(host) == word))
        for word in ("ethernet", "wwan", "none"):
            name = f'netwatch_reachability_state{{{labels}, state="{word}"}}'
            yield name, values(int(word == "ethernet"), int(medium(host) == word))
        is_up = target(host)
        yield f'netwatch_target_up{{{labels}, target="api"}}', values(1, None if is_up is None else int(is_up))


def labels(name, own):
    severity, level, _ = ALERTS[name]
    return {"severity": severity, "level": level, **own}


def expectation(name, own, part):
    annotations = {"summary": ALERTS[name][2].format(part=part, **own)}
    if name == "NetwatchFleetBroken":
        annotations["description"] = FLEET_DESCRIPTION
    return {"exp_labels": labels(name, own), "exp_annotations": annotations}


def rules(path):
    tests = []
    for title, (change, alerts) in SITUATIONS.items():
        tests.append({
            "name": title,
            "interval": "15s",
            "input_series": [{"series": name, "values": values} for name, values in series(**change)],
            "alert_rule_test": [
                {"eval_time": "15m", "alertname": name, "exp_alerts": [expectation(*a) for a in alerts if a[0] == name]}
                for name in ALERTS
            ],
        })
    # JSON is YAML.
    print(json.dumps({"rule_files": [path], "evaluation_interval": "15s", "tests": tests}))


def alerts(title):
    print(json.dumps([{"labels": {"alertname": name, **labels(name, own)}} for name, own, _ in SITUATIONS[title][1]]))


if sys.argv[1] == "rules":
    rules(sys.argv[2])
elif sys.argv[1] == "alerts":
    alerts(sys.argv[2])
else:
    print("\n".join(title for title, (_, alerts) in SITUATIONS.items() if alerts))
