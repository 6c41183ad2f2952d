"""A plugin of pytest that lets toot's suite run where it makes assumptions; no check is changed.

- It expects the errors of click apart from the output, as click 8.2 gives them: 8.1 of Debian is asked to.
- It reads the id of a post from its address, as Mastodon writes addresses: here it is the id that was answered.
"""

import re

import click.testing
import toot.api

made = click.testing.CliRunner.__init__
click.testing.CliRunner.__init__ = lambda self, *words: made(self, *words, mix_stderr=False)

ids = {}


def remembering(post):
    def posting(*words, **named):
        answer = post(*words, **named)
        status = answer.json()
        ids[status.get("url")] = status["id"]
        return answer

    return posting


toot.api.post_status = remembering(toot.api.post_status)


def posted_status_id(out):
    return ids[re.search(r"Toot posted: (\S+)", out).group(1)]


def pytest_collection_modifyitems(items):
    for item in items:
        if hasattr(item.module, "posted_status_id"):
            item.module.posted_status_id = posted_status_id
