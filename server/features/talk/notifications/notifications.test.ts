import { beforeAll, describe, expect, test } from "vitest";
import { describeIn } from "#server/features/talk/notifications/describe-in.ts";
import type { Database } from "#server/platform/db/database.ts";
import { idAt, newId } from "#server/platform/db/ids.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costsOf } from "#server/test/explain.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { createNotifications } from "#server/features/talk/notifications/notifications.ts";
import { notificationPath } from "#shared/notifications.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let sent: string[] = [];

beforeAll(async () => {
  ({ db } = await freshDatabase((text) => void sent.push(text)));
  on = testFeatures(db);
});

/** A member's notifications as they read them: "Bob liked your photo". */
async function notificationsOf(
  viewer: Viewer,
  which: "all" | "mentions" = "all",
): Promise<string[]> {
  const views = await everyPage((cursor) => on.notifications.list(viewer, which, cursor));
  return views.map((view) => describeIn("en", view));
}

async function unreadOf(viewer: Viewer): Promise<number> {
  const [row] = await query<{ n: number }>(
    db,
    "select count(*)::int as n from notifications where account_id = $1 and unread",
    [viewer.id],
  );
  return row?.n ?? 0;
}

/** Statements of an act, without those that begin and end its transaction. */
async function statements(act: () => Promise<unknown>): Promise<number> {
  sent = [];
  await act();
  return sent.filter((text) => !/^(begin|commit)$/.test(text)).length;
}

describe("a member is notified", () => {
  test("who followed, liked and commented, newest first, with the way there", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const photo = await on.photoPost(ada, "A lake");
    const words = await on.textPost(ada, "Some words");
    await on.follows.follow(bob, ada.id);
    await on.likes.like(bob, photo);
    await on.likes.like(bob, words);
    const { id } = await on.comments.add(bob, photo, "What a lake", null);
    expect(await notificationsOf(ada)).toEqual([
      "Bob commented on your photo",
      "Bob liked your post",
      "Bob liked your photo",
      "Bob followed you",
    ]);
    const { items } = await on.notifications.list(ada, "all", null);
    expect(items[0]).toMatchObject({ unread: true, text: "What a lake", commentId: id });
    expect(items.map(notificationPath)).toEqual([
      `/post/${ada.username}/${photo.number}#comment-${id}`,
      `/post/${ada.username}/${words.number}`,
      `/post/${ada.username}/${photo.number}`,
      `/search/${bob.id}`,
    ]);
    expect(await notificationsOf(bob)).toEqual([]);
  });

  test("of many acts around one thing in one sentence, until it is read", async () => {
    const ada = await on.member("Ada");
    const photo = await on.photoPost(ada);
    const people = await insertAccounts(db, 15, (index) => `Fan ${index}`);
    for (const fan of people.slice(0, 14)) await on.likes.like(fan, photo);
    expect(await notificationsOf(ada)).toEqual(["Fan 13, Fan 12 and 12 others liked your photo"]);
    expect((await on.notifications.open(ada, "all", null)).unread).toBe(0);
    await on.likes.like(people[14] as Viewer, photo);
    expect(await notificationsOf(ada)).toEqual([
      "Fan 14 liked your photo",
      "Fan 13, Fan 12 and 12 others liked your photo",
    ]);
    const [chatty] = people as [Viewer];
    for (const body of ["one", "two", "three"]) await on.comments.add(chatty, photo, body, null);
    expect((await notificationsOf(ada))[0], "one person however often").toBe(
      "Fan 0 commented on your photo",
    );
  });

  test("never of what they did themselves", async () => {
    const ada = await on.member("Ada");
    const post = await on.textPost(ada, `I am @${ada.username}`);
    await on.likes.like(ada, post);
    await on.comments.add(ada, post, `Signed @${ada.username}`, null);
    expect(await notificationsOf(ada)).toEqual([]);
  });

  test("of a mention in a caption or a comment, under a former username too, once", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const cleo = await on.member("Cleo");
    const former = ada.username;
    await on.settings.changeUsername(ada, `ada_${newId().slice(-6)}`);
    await on.textPost(
      bob,
      `Look @${former.toUpperCase()}, @${former}! mail@${former} @nobody_here`,
    );
    expect(await notificationsOf(ada)).toEqual(["Bob mentioned you"]);
    const post = await on.textPost(ada);
    const { id } = await on.comments.add(
      bob,
      post,
      `@${cleo.username} and @${former}: hello`,
      null,
    );
    expect(await notificationsOf(ada), "named and owner is named").toEqual([
      "Bob mentioned you in a comment",
      "Bob mentioned you",
    ]);
    const { items } = await on.notifications.list(cleo, "mentions", null);
    expect(items).toMatchObject([{ kind: "mention", commentId: id, people: [{ id: bob.id }] }]);
    await on.likes.like(bob, post);
    expect(await notificationsOf(ada, "mentions")).toHaveLength(2);
    expect(await notificationsOf(ada)).toHaveLength(3);
  });

  test("of messages by conversation, until it is read there", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const conversation = newId();
    const { notify, retract, readConversation } = on.notifications;
    const first = newId();
    await notify.wrote(bob.id, ada.id, conversation, first);
    await notify.wrote(bob.id, ada.id, conversation, first);
    await notify.wrote(bob.id, ada.id, conversation, newId());
    expect(await notificationsOf(ada)).toEqual(["Bob sent you a message"]);
    const { items } = await on.notifications.list(ada, "all", null);
    expect(items.map(notificationPath)).toEqual([`/chat/${conversation}`]);
    await retract.act(ada.id, first);
    expect(await unreadOf(ada)).toBe(1);
    await readConversation(ada, conversation);
    expect(await unreadOf(ada)).toBe(0);
    await notify.wrote(bob.id, ada.id, conversation, newId());
    await notify.wrote(bob.id, ada.id, newId(), newId());
    expect(await notificationsOf(ada), "one row a conversation, read or not").toHaveLength(2);
    expect(await unreadOf(ada)).toBe(2);
    await readConversation(ada, conversation);
    const latest = newId();
    await notify.wrote(bob.id, ada.id, conversation, latest);
    await retract.act(ada.id, latest);
    expect(await notificationsOf(ada), "a message taken back leaves no trace").toHaveLength(1);
  });

  test("of whether they follow the one person who followed them", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada);
    const following = async () =>
      (await on.notifications.list(ada, "all", null)).items.map((view) => view.following);
    await on.follows.follow(bob, ada.id);
    expect(await following()).toEqual([false]);
    await on.follows.follow(ada, bob.id);
    await on.likes.like(bob, post);
    expect(await following()).toEqual([null, true]);
    await on.follows.follow(await on.member("Cleo"), ada.id);
    expect(await following(), "two people share no button").toEqual([null, null]);
  });
});

describe("what is undone is taken back", () => {
  test("an unlike, an unfollow, a deleted comment, a deleted post", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const cleo = await on.member("Cleo");
    const post = await on.textPost(ada);
    await on.follows.follow(bob, ada.id);
    await on.likes.like(bob, post);
    await on.likes.like(cleo, post);
    const { id } = await on.comments.add(bob, post, `hello @${cleo.username}`, null);
    await on.comments.add(bob, post, `again @${cleo.username}`, null);
    expect(await notificationsOf(cleo)).toHaveLength(2);

    await on.likes.unlike(bob, post);
    await on.follows.unfollow(bob, ada.id);
    await on.comments.remove(bob, post, id);
    expect(await notificationsOf(ada)).toEqual([
      "Bob commented on your post",
      "Cleo liked your post",
    ]);
    expect(await notificationsOf(cleo)).toEqual(["Bob mentioned you in a comment"]);
    await on.likes.unlike(cleo, post);
    expect(await notificationsOf(ada)).toEqual(["Bob commented on your post"]);

    await on.posts.remove(ada, ada.username, post.number);
    expect([await notificationsOf(ada), await notificationsOf(cleo)]).toEqual([[], []]);
    expect(
      await query(db, "select 1 from notification_acts where actor_id = $1", [bob.id]),
    ).toEqual([]);
  });

  test("all comments of a post at once, and nothing else of it", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada, `with @${bob.username}`);
    await on.comments.add(bob, post, `hello @${ada.username}`, null);
    await on.comments.add(ada, post, `hello @${bob.username}`, null);
    await on.likes.like(bob, post);
    await on.comments.removeAll(ada, post);
    expect(await notificationsOf(ada)).toEqual(["Bob liked your post"]);
    expect(await notificationsOf(bob)).toEqual(["Ada mentioned you"]);
    expect([await unreadOf(ada), await unreadOf(bob)]).toEqual([1, 1]);
  });

  test("everything between two by a block, and nothing comes after it", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const cleo = await on.member("Cleo");
    const [adas, cleos] = [await on.textPost(ada), await on.textPost(cleo)];
    await on.likes.like(bob, adas);
    await on.likes.like(cleo, adas);
    await on.comments.add(bob, cleos, `with @${ada.username}`, null);
    await on.comments.add(ada, cleos, `and @${bob.username}`, null);
    await on.blocks.block(ada, bob.id);
    expect(await notificationsOf(ada)).toEqual(["Cleo liked your post"]);
    expect(await notificationsOf(bob)).toEqual([]);
    await on.comments.add(bob, cleos, `still @${ada.username}`, null);
    await on.comments.add(cleo, cleos, `@${ada.username} is told of Cleo`, null);
    expect(await notificationsOf(ada)).toEqual([
      "Cleo mentioned you in a comment",
      "Cleo liked your post",
    ]);
  });

  test("somebody's mention under the post of one whom the reader blocked is not shown", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const cleo = await on.member("Cleo");
    const bobs = await on.textPost(bob);
    await on.comments.add(cleo, bobs, `see @${ada.username}`, null);
    expect(await notificationsOf(ada)).toHaveLength(1);
    await on.blocks.block(ada, bob.id);
    expect(await notificationsOf(ada)).toEqual([]);
    // the count does not stay: opening the page marks as read what it cannot show, too
    expect((await on.notifications.open(ada, "all", null)).unread).toBe(0);
    await on.comments.add(cleo, bobs, `again @${ada.username}`, null);
    expect(await unreadOf(ada)).toBe(0);
  });
});

describe("what is not wanted makes no notification", () => {
  test("of somebody muted, who notices nothing", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada);
    await on.blocks.mute(ada, bob.id);
    await on.likes.like(bob, post);
    await on.follows.follow(bob, ada.id);
    await on.comments.add(bob, post, `@${ada.username}`, null);
    expect(await notificationsOf(ada)).toEqual([]);
    await on.likes.like(ada, await on.textPost(bob));
    expect(await notificationsOf(bob)).toEqual(["Ada liked your post"]);
  });

  test("of a kind switched off; the switches are stored one by one", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const all = {
      follow: true,
      request: true,
      accepted: true,
      like: true,
      comment: true,
      mention: true,
      message: true,
      alt: true,
      album: true,
      invited: true,
      digest: true,
    };
    expect(await on.notifications.settings(ada)).toEqual(all);
    await Promise.all([
      on.notifications.changeSettings(ada, { like: false }),
      on.notifications.changeSettings(ada, { digest: false }),
    ]);
    expect(await on.notifications.settings(ada)).toEqual({ ...all, like: false, digest: false });
    const post = await on.textPost(ada);
    await on.likes.like(bob, post);
    await on.comments.add(bob, post, "told", null);
    expect(await notificationsOf(ada)).toEqual(["Bob commented on your post"]);
    await on.notifications.changeSettings(ada, { like: true });
    expect(await on.notifications.settings(ada)).toEqual({ ...all, digest: false });
  });

  test("of a suspended account, until it is back", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    await on.follows.follow(bob, ada.id);
    await on.suspend(bob);
    expect(await notificationsOf(ada)).toEqual([]);
    await query(db, "update accounts set suspended_at = null where id = $1", [bob.id]);
    expect(await notificationsOf(ada)).toEqual(["Bob followed you"]);
  });
});

describe("somebody who may not be seen any more", () => {
  test("is neither named nor counted among the others, and is again when they are back", async () => {
    const ada = await on.member("Ada");
    const photo = await on.photoPost(ada);
    const people = await insertAccounts(db, 6, (index) => `Fan ${index}`);
    const [suspended, deleted, blocked, muted] = people as [Viewer, Viewer, Viewer, Viewer];
    for (const fan of people) await on.likes.like(fan, photo);
    const [{ id } = { id: "" }] = (await on.notifications.list(ada, "all", null)).items;
    const out = async () => {
      const view = await on.notifications.findUnread(ada.id, id);
      return view && describeIn("en", view);
    };
    expect(await notificationsOf(ada)).toEqual(["Fan 5, Fan 4 and 4 others liked your photo"]);
    await on.suspend(suspended);
    await query(db, "update accounts set deleted_at = now() where id = $1", [deleted.id]);
    await on.blocks.block(blocked, ada.id);
    expect(await notificationsOf(ada)).toEqual(["Fan 5, Fan 4 and 1 other liked your photo"]);
    expect(await out()).toBe("Fan 5, Fan 4 and 1 other liked your photo");
    await on.blocks.mute(ada, muted.id);
    expect(await notificationsOf(ada), "notified before, it stays in the list").toHaveLength(1);
    expect(await out(), "and rings nowhere").toBe("Fan 5 and Fan 4 liked your photo");
    await query(db, "update accounts set suspended_at = null, deleted_at = null", []);
    expect(await notificationsOf(ada)).toEqual(["Fan 5, Fan 4 and 3 others liked your photo"]);
  });
});

describe("the page", () => {
  test("pages without a gap, shows what is new once and marks it all as read", async () => {
    const ada = await on.member("Ada");
    const fans = await insertAccounts(db, 50);
    const posts = [];
    for (let i = 0; i < 45; i += 1) posts.push(await on.textPost(ada, `words ${i}`));
    for (const [i, post] of posts.entries()) await on.likes.like(fans[i] as Viewer, post);
    const first = await on.notifications.open(ada, "all", null);
    expect(first.page.items.map(({ text }) => text)).toEqual(
      posts.map((_, i) => `words ${44 - i}`).slice(0, 20),
    );
    expect(first.page.items.every(({ unread }) => unread)).toBe(true);
    expect(first.unread, "the bell says 0 after one look").toBe(0);
    const second = await on.notifications.open(ada, "all", first.page.nextCursor);
    expect(second.page.items[0]?.text).toBe("words 24");
    expect([...first.page.items, ...second.page.items]).toHaveLength(40);
    const again = await on.notifications.open(ada, "all", null);
    expect(again.page.items.some(({ unread }) => unread)).toBe(false);
    expect(await everyPage((cursor) => on.notifications.list(ada, "all", cursor))).toHaveLength(45);
  });

  test("costs one statement and a bounded number of rows, whatever happened", async () => {
    const ada = await on.member("Ada");
    const post = await on.textPost(ada);
    const fans = await insertAccounts(db, 3000);
    const acts = fans.map(() => newId());
    const group = acts[0] as string;
    await query(
      db,
      `insert into notifications (account_id, id, kind, subject_id, author_id, post_id, latest_id)
      values ($1, $2, 'like', $3, $1, $3, $4)`,
      [ada.id, group, post.postId, acts.at(-1)],
    );
    await query(
      db,
      `insert into notification_acts (account_id, id, notification_id, actor_id)
      select $1, act, $2, actor from unnest($3::uuid[], $4::uuid[]) t (act, actor)`,
      [ada.id, group, acts, fans.map(({ id }) => id)],
    );
    const list = (of: Database) => createNotifications({ db: of }).list(ada, "all", null);
    const [gathered] = (await list(db)).items;
    expect(gathered).toMatchObject({ others: 98, moreOthers: true });
    expect(gathered && describeIn("en", gathered)).toMatch(/ and 98 or more others liked your /);
    for (const plan of ["generic", "custom"] as const) {
      const costs = await costsOf(db, list, plan);
      expect(costs).toHaveLength(1);
      // A hundred acts, who did them, whether a block is between; and tables with a handful of
      // rows, which the planner may read whole. Three thousand acts would be more than that.
      expect(costs[0]?.rowsRead, plan).toBeLessThan(1000);
      // The other tables have a handful of rows here, which are rightly read as a whole.
      expect(costs[0]?.scans.join(), plan).not.toContain("notification_acts: Seq Scan");
    }
  });

  test("forgets what was read 90 days ago, and keeps what is unread", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada);
    const old = Date.now() - 91 * 24 * 60 * 60 * 1000;
    const { notify, markAllRead, sweep } = on.notifications;
    await notify.liked(bob.id, post, idAt(old));
    await sweep();
    expect(await notificationsOf(ada)).toHaveLength(1);
    await markAllRead(ada);
    await notify.followed(bob.id, ada.id, idAt(old + 2 * 24 * 60 * 60 * 1000));
    await markAllRead(ada);
    await sweep();
    expect(await notificationsOf(ada)).toEqual(["Bob followed you"]);
  });
});

describe("notifying", () => {
  test("adds at most one statement to an act, and none to what changes nothing or concerns nobody", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada);
    expect(await statements(() => on.likes.like(ada, post)), "one's own").toBe(1);
    expect(await statements(() => on.likes.like(bob, post))).toBe(2);
    expect(await statements(() => on.likes.like(bob, post)), "again").toBe(1);
    expect(await statements(() => on.likes.unlike(bob, post))).toBe(2);
    expect(await statements(() => on.follows.follow(bob, ada.id))).toBe(3);
    expect(
      await statements(() => on.comments.add(bob, post, `@${ada.username} @x_y_z`, null)),
    ).toBe(4);
    expect(await statements(() => on.textPost(bob, "nobody named"))).toBe(2);
  });

  test("many at once, and retracting at once, ends as the likes do", async () => {
    const ada = await on.member("Ada");
    const post = await on.textPost(ada);
    const fans = await insertAccounts(db, 20);
    await Promise.all([
      ...fans.map((fan) => on.likes.like(fan, post)),
      ...fans.slice(0, 10).map(async (fan) => {
        await on.likes.like(fan, post);
        await on.likes.unlike(fan, post);
      }),
      on.notifications.open(ada, "all", null),
    ]);
    const left = await query<{ actor_id: string }>(
      db,
      `select actor_id from notification_acts where account_id = $1
      except select account_id from likes where author_id = $1`,
      [ada.id],
    );
    expect(left).toEqual([]);
    const [{ acts, likes } = { acts: 0, likes: 1 }] = await query<{ acts: number; likes: number }>(
      db,
      `select (select count(*)::int from notification_acts where account_id = $1) as acts,
        (select count(*)::int from likes where author_id = $1) as likes`,
      [ada.id],
    );
    expect(acts).toBe(likes);
  });
});
