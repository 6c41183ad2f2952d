"""What Mastodon.py (python3-mastodon of Debian) does with a Postcard: its address is the argument.

Every check says its name; the first one that is not so ends the run with code 1.
"""

import sys
import threading
import time

from mastodon import Mastodon, StreamListener
from mastodon.errors import MastodonAPIError, MastodonUnauthorizedError

url, photo = sys.argv[1], sys.argv[2]
patience = 60
password = "correct horse battery"
passed = 0


def check(name, so):
    global passed
    if not so:
        print("FAILED", name)
        sys.exit(1)
    passed += 1
    print("passed", name)


def person(username):
    client_id, client_secret = Mastodon.create_app(
        "Mastodon.py", api_base_url=url, scopes=["read", "write", "follow", "push"]
    )
    api = Mastodon(client_id=client_id, client_secret=client_secret, api_base_url=url)
    api.create_account(
        username,
        password,
        f"{username}@example.org",
        agreement=True,
        scopes=["read", "write", "follow", "push"],
    )
    return api


def refused(name, call, status=422):
    try:
        call()
    except MastodonAPIError as error:
        check(f"{name} is refused: {error.args[1]}", error.args[1] == status)
    else:
        check(f"{name} is refused", False)


class Listener(StreamListener):
    def __init__(self):
        self.heard = []

    def on_update(self, status):
        self.heard.append(("update", status["id"]))

    def on_notification(self, notification):
        self.heard.append(("notification", notification["type"]))

    def on_delete(self, status_id):
        self.heard.append(("delete", int(status_id)))

    def until(self, event):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if event in self.heard:
                return True
            time.sleep(0.1)
        print("heard", self.heard)
        return False


ada, bob = person("ada_suite"), person("bob_suite")
check("an app is known by its name", ada.app_verify_credentials()["name"] == "Mastodon.py")
check("the place tells its version", len(ada.instance()["version"]) > 0)
me = ada.account_verify_credentials()
him = bob.me()
check("somebody signed up is who they are", me["username"] == "ada_suite")
check("an account is found by name", ada.account_lookup("bob_suite")["id"] == him["id"])
check("an account is found by search", him["id"] in [a["id"] for a in ada.account_search("bob_suite")])
check("a follow is told", ada.account_follow(him["id"])["following"])
check("followers are listed", [a["id"] for a in bob.account_followers(him["id"])] == [me["id"]])
followed = bob.notifications(types=["follow"])
check("a follow notifies", [n["type"] for n in followed] == ["follow"])

media = bob.media_post(photo, description="A trumpet in brass")
check("a photo keeps its alt text", media["description"] == "A trumpet in brass")
changed = bob.media_update(media["id"], description="A brass trumpet")
check("alt text is changed before there is a post", changed["description"] == "A brass trumpet")
post = bob.status_post("Good morning #brass", media_ids=[media["id"]])
check("a post has its photo", post["media_attachments"][0]["description"] == "A brass trumpet")
check("a post names its tag", [t["name"] for t in post["tags"]] == ["brass"])
check("home shows the post", post["id"] in [s["id"] for s in ada.timeline_home()])
# Accounts wait a day for it, except those of the place's first.
check("the place's timeline shows it", post["id"] in [s["id"] for s in ada.timeline_local()])
check("a tag shows the post", post["id"] in [s["id"] for s in ada.timeline_hashtag("brass")])
reply = ada.status_reply(post, "Lovely")
check("a reply names what it answers", reply["in_reply_to_id"] == post["id"])
context = bob.status_context(post["id"])
check("the conversation holds the reply", reply["id"] in [s["id"] for s in context["descendants"]])
check("a favourite is told", ada.status_favourite(post["id"])["favourited"])
check("who favourited is told", [a["id"] for a in bob.status_favourited_by(post["id"])] == [me["id"]])
check("favourites are listed", post["id"] in [s["id"] for s in ada.favourites()])
check("a favourite is taken back", not ada.status_unfavourite(post["id"])["favourited"])
check("a bookmark is told", ada.status_bookmark(post["id"])["bookmarked"])
check("bookmarks are listed", post["id"] in [s["id"] for s in ada.bookmarks()])
check("a bookmark is taken back", not ada.status_unbookmark(post["id"])["bookmarked"])
kept = [one["id"] for one in post["media_attachments"]]
edited = bob.status_update(post["id"], "Good evening #brass", media_ids=kept)
check("a post is edited", "evening" in edited["content"] and edited["edited_at"] is not None)
check("the source is what was written", bob.status_source(post["id"])["text"] == "Good evening #brass")
check("search finds people", him["id"] in [a["id"] for a in ada.search("bob_suite")["accounts"]])
check("a mute is told", ada.account_mute(him["id"])["muting"])
check("a mute ends", not ada.account_unmute(him["id"])["muting"])
named = ada.account_update_credentials(display_name="Ada of the Suite", note="Brass only")
check("a profile is edited", named["display_name"] == "Ada of the Suite")
narrow = bob.status_post("hush", visibility="private")
check("a post for followers says so", narrow["visibility"] == "private")
check("a follower reads it", ada.status(narrow["id"])["id"] == narrow["id"])
stranger = person("cleo_suite")
refused("a stranger", lambda: stranger.status(narrow["id"]), 404)
refused("a stranger who likes it", lambda: stranger.status_favourite(narrow["id"]), 404)
# The next post begins where the last one did.
loud = bob.status_post("loud", visibility="public")
check("a post for everyone says so", loud["visibility"] == "public")
refused("a post later", lambda: bob.status_post("later", scheduled_at=__import__("datetime").datetime(2030, 1, 1)))
refused("a poll", lambda: bob.status_post("which", poll=bob.make_poll(["a", "b"], 3600)))
refused("a boost", lambda: ada.status_reblog(post["id"]))

for number in range(45):
    bob.status_post(f"Page {number}")
first = ada.timeline_home(limit=20)
second = ada.fetch_next(first)
third = ada.fetch_next(second)
seen = [s["id"] for s in first + second + third]
check("three pages down nothing is twice", len(set(seen)) == len(seen) and len(seen) > 40)
check("pages go from new to old", seen == sorted(seen, reverse=True))
check("one page up is the first again", [s["id"] for s in ada.fetch_previous(second)] == [s["id"] for s in first])

check("streaming says that it is well", ada.stream_healthy())
user, tag = Listener(), Listener()
streams = [
    ada.stream_user(user, run_async=True, timeout=patience),
    ada.stream_hashtag("brass", tag, run_async=True, timeout=patience),
]
# There is no sign that a stream is open: posts are repeated until one of them arrives.
end = time.monotonic() + patience
heard = []
while time.monotonic() < end and not (user.heard and tag.heard):
    heard.append(bob.status_post("Now #brass"))
    time.sleep(2)
check("home is heard by Server-Sent Events", any(("update", s["id"]) in user.heard for s in heard))
check("a tag is heard by Server-Sent Events", any(("update", s["id"]) in tag.heard for s in heard))
bob.account_follow(me["id"])
check("a notification is heard", user.until(("notification", "follow")))
bob.status_delete(heard[-1]["id"])
check("a deletion is heard", user.until(("delete", heard[-1]["id"])))
for stream in streams:
    stream.close()

check("a follow ends", not ada.account_unfollow(him["id"])["following"])
check("a block is told", ada.account_block(him["id"])["blocking"])
check("a block ends", not ada.account_unblock(him["id"])["blocking"])
bob.notifications_clear()
check("notifications are cleared", bob.notifications() == [])
bob.status_delete(post["id"])
check("a post is deleted", post["id"] not in [s["id"] for s in bob.account_statuses(him["id"])])
token = bob.access_token
bob.revoke_access_token()
ended = Mastodon(access_token=token, api_base_url=url)
try:
    ended.me()
    check("a revoked token is dead", False)
except MastodonUnauthorizedError:
    check("a revoked token is dead", True)
print(passed, "passed")
# Threads of waiting streams do not keep the program from ending.
sys.stdout.flush()
__import__("os")._exit(0)
