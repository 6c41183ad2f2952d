import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { settingNames, settings } from "#shared/settings.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

const day = 24 * 60 * 60 * 1000;
let names = 0;
const freeName = () => `free_name_${(names += 1)}`;

/** As if the last change had been so many days ago. */
async function letDaysPass({ id }: Viewer, days: number) {
  await query(
    db,
    "update accounts set username_changed_at = username_changed_at - make_interval(days => $2) where id = $1",
    [id, days],
  );
}

const usernameOf = async ({ id }: Viewer) => (await on.accounts.findById(null, id))?.username;

describe("a username", () => {
  test("can be changed at once after sign-up; it leads to the account, and so does the former", async () => {
    const ada = await on.member("Ada Lovelace");
    const post = await on.textPost(ada);
    const username = freeName();
    expect(await on.settings.get(ada)).toMatchObject({ usernameFixedUntil: null });
    expect(await on.settings.changeUsername(ada, username)).toEqual({ username });
    for (const address of [username, ada.username]) {
      expect(await on.accounts.findByAddress(null, address)).toEqual({ id: ada.id, username });
      expect(await on.posts.get(null, address, post.number)).toMatchObject({
        id: post.postId,
        author: { username },
      });
    }
  });

  test("that nobody can read is offered to be changed, until its owner changes or keeps it", async () => {
    const unreadable = async () => {
      const viewer = await on.member("Anybody");
      const username = `user_${viewer.id.replaceAll(/[^a-f2-9]/g, "").slice(-7)}`;
      await query(db, "update accounts set username = $2 where id = $1", [viewer.id, username]);
      return { ...viewer, username };
    };
    const [changes, keeps] = [await unreadable(), await unreadable()];
    expect(await on.settings.offersUsername(await on.member("Ada Lovelace"))).toBe(false);
    for (const viewer of [changes, keeps]) {
      expect(await on.settings.offersUsername(viewer)).toBe(true);
    }
    await on.settings.changeUsername(changes, "user_abcdefg");
    await on.settings.keepUsername(keeps);
    for (const viewer of [{ ...changes, username: "user_abcdefg" }, keeps]) {
      expect(await on.settings.offersUsername(viewer)).toBe(false);
    }
  });

  test("can be changed again after 30 days, not before, and the refusal says when", async () => {
    const ada = await on.member("Ada");
    const [first, second] = [freeName(), freeName()];
    await on.settings.changeUsername(ada, first);
    const { usernameFixedUntil } = await on.settings.get(ada);
    expect(Math.abs((usernameFixedUntil ?? 0) - (Date.now() + 30 * day))).toBeLessThan(day / 24);
    await expect(on.settings.changeUsername(ada, second)).rejects.toMatchObject({
      code: "username-too-soon",
      message:
        "You changed your username less than 30 days ago. You can change it again in 30 days.",
    });
    await letDaysPass(ada, 29);
    await expect(on.settings.changeUsername(ada, second)).rejects.toMatchObject({
      message:
        "You changed your username less than 30 days ago. You can change it again within a day.",
    });
    expect(await usernameOf(ada)).toBe(first);
    await letDaysPass(ada, 1);
    await on.settings.changeUsername(ada, second);
    expect(await usernameOf(ada)).toBe(second);
  });

  test("may be one's own former one", async () => {
    const ada = await on.member("Ada Byron");
    await on.settings.changeUsername(ada, freeName());
    await letDaysPass(ada, 31);
    await on.settings.changeUsername(ada, ada.username);
    expect(await usernameOf(ada)).toBe(ada.username);
  });

  test("that stays the same is no change", async () => {
    const ada = await on.member("Ada Same");
    await on.settings.changeUsername(ada, ` @${ada.username.toUpperCase()} `);
    expect(await on.settings.get(ada)).toMatchObject({
      username: ada.username,
      usernameFixedUntil: null,
    });
  });

  test("is found by the search, and the former one not any more", async () => {
    const ada = await on.member("Xenia Quill");
    await on.settings.changeUsername(ada, "quillwriter");
    const found = async (text: string) => {
      const page = await on.search.accounts(null, text, null, { ip: "192.0.2.1" });
      return page.items.map(({ id }) => id);
    };
    expect(await found("quillwriter")).toEqual([ada.id]);
    expect(await found("xenia_quill")).toEqual([]);
    expect(await found("xenia quill")).toEqual([ada.id]);
  });

  test("that somebody has or had is nobody else's, ever", async () => {
    const [ada, bob] = [await on.member("Ada Owner"), await on.member("Bob Wisher")];
    const now = freeName();
    await on.settings.changeUsername(ada, now);
    for (const wanted of [now, ada.username]) {
      await expect(on.settings.changeUsername(bob, wanted)).rejects.toMatchObject({
        code: "username-taken",
      });
    }
    expect(await usernameOf(bob)).toBe(bob.username);
    expect(await on.settings.get(bob)).toMatchObject({ usernameFixedUntil: null });
    expect(await on.accounts.findByAddress(null, ada.username)).toMatchObject({ id: ada.id });
    // a newcomer of the same name does not get it either
    const second = await on.member("Ada Owner");
    expect(second.username).not.toBe(ada.username);
  });

  test.each([
    ["", "required*"],
    ["   ", "required*"],
    ["@", "required*"],
    ["ab", "Use at least 3 characters."],
    ["a".repeat(31), "Use at most 30 characters."],
    ["a".repeat(10_000), "Use at most 30 characters."],
    ["ana.maria", "Use only the letters a to z, digits and _."],
    ["анна", "Use only the letters a to z, digits and _."],
    ["<script>alert(1)</script>", "Use only the letters a to z, digits and _."],
    ["a\u0000bc", "Use only the letters a to z, digits and _."],
    ["a\u200bbc", "Use only the letters a to z, digits and _."],
    ["\u202eabc", "Use only the letters a to z, digits and _."],
    ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "Use only the letters a to z, digits and _."],
    ["upload", "This word is reserved. Please choose another."],
    ["Email", "This word is reserved. Please choose another."],
    ["edit", "This word is reserved. Please choose another."],
  ])("cannot be %j", async (typed, sentence) => {
    const bob = await on.member("Bob Odd");
    await expect(on.settings.changeUsername(bob, typed)).rejects.toMatchObject({
      code: "input-invalid",
      fields: { username: sentence },
    });
    expect(await usernameOf(bob)).toBe(bob.username);
  });

  test("changed twice at once is changed once", async () => {
    const ada = await on.member("Ada Twice");
    const wanted = [freeName(), freeName(), freeName()];
    const answers = await Promise.allSettled(
      wanted.map((name) => on.settings.changeUsername(ada, name)),
    );
    const done = answers.flatMap((answer, index) =>
      answer.status === "fulfilled" ? [wanted[index]] : [],
    );
    expect(done).toHaveLength(1);
    expect(await usernameOf(ada)).toBe(done[0]);
    const usernames = await query<{ username: string }>(
      db,
      "select username from usernames where account_id = $1 order by taken_at, username",
      [ada.id],
    );
    expect(usernames.map(({ username }) => username).toSorted()).toEqual(
      [ada.username, done[0]].toSorted(),
    );
  });

  test("that several want at once goes to one account", async () => {
    const people = await on.members(6);
    const name = freeName();
    const answers = await Promise.allSettled(
      people.map((person) => on.settings.changeUsername(person, name)),
    );
    const refused = answers.filter((answer) => answer.status === "rejected");
    expect(refused).toHaveLength(5);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "username-taken" });
    const winner = people[answers.findIndex(({ status }) => status === "fulfilled")];
    expect(await on.accounts.findByAddress(null, name)).toMatchObject({ id: winner?.id });
  });

  test("wanted at once by a member and by a new sign-up goes to one of them", async () => {
    for (let round = 0; round < 4; round += 1) {
      const bob = await on.member("Bob Racer");
      const wanted = `same_wish_${round}`;
      const changing = on.settings.changeUsername(bob, wanted).then(
        () => true,
        () => false,
      );
      const newcomer = await on.member(`Same Wish ${round}`);
      const owner = await on.accounts.findByAddress(null, wanted);
      expect(owner?.id).toBe((await changing) ? bob.id : newcomer.id);
    }
  });
});

describe("the privacy switches", () => {
  test("are at first: found by email, email not shown", async () => {
    const ada = await on.member("Ada First");
    expect(await on.settings.get(ada)).toEqual({
      username: ada.username,
      usernameFixedUntil: null,
      email: ada.email,
      language: null,
      postingLanguage: null,
      showEmail: false,
      findableByEmail: true,
      showInExplore: true,
      showVeiled: false,
      altReminder: false,
      showCamera: false,
    });
  });

  const cases = [true, false].flatMap((showEmail) =>
    [true, false].map((findableByEmail) => ({ showEmail, findableByEmail })),
  );
  test.each(cases)("%j decide who sees the email and who finds by it", async (wanted) => {
    const { showEmail, findableByEmail } = wanted;
    const [ada, bob] = [await on.member("Ada Matrix"), await on.member("Bob Matrix")];
    const post = await on.textPost(ada);
    await on.settings.change(ada, wanted);
    expect(await on.settings.get(ada)).toMatchObject(wanted);

    for (const viewer of [null, bob]) {
      const profile = await on.profiles.get(viewer, ada.id);
      expect(profile?.email).toBe(showEmail ? ada.email : null);
      const page = await on.search.accounts(viewer, ada.email, null, { ip: "192.0.2.1" });
      expect(page.items.map(({ id }) => id)).toEqual(findableByEmail ? [ada.id] : []);
      const opened = await on.posts.get(viewer, ada.email, post.number);
      expect(opened?.id ?? null).toBe(findableByEmail ? post.postId : null);
    }
    const found = await on.accounts.findByAddress(null, ada.email);
    expect(found?.id ?? null).toBe(findableByEmail ? ada.id : null);
    // an owner always finds their own posts by their own email
    expect((await on.posts.get(ada, ada.email, post.number))?.id).toBe(post.postId);
  });

  test("are at first what their table says, and are stored as their member sets them", async () => {
    const ada = await on.member("Ada Declared");
    const initial = settingNames.map((name) => [name, settings[name].initial] as const);
    expect(await on.settings.get(ada)).toMatchObject(Object.fromEntries(initial));
    const turned = Object.fromEntries(initial.map(([name, on]) => [name, !on]));
    await on.settings.change(ada, turned);
    expect(await on.settings.get(ada)).toMatchObject(turned);
  });

  test("change one at a time and leave the others as they are", async () => {
    const ada = await on.member("Ada Single");
    await Promise.all([
      on.settings.change(ada, { showEmail: true }),
      on.settings.change(ada, { findableByEmail: false }),
    ]);
    expect(await on.settings.get(ada)).toMatchObject({ showEmail: true, findableByEmail: false });
  });

  test("store a reminder of descriptions that is turned on", async () => {
    const ada = await on.member("Ada Reminded");
    await on.settings.change(ada, { altReminder: true });
    expect(await on.settings.get(ada)).toMatchObject({ altReminder: true, findableByEmail: true });
  });

  test("do not exist for a deleted account", async () => {
    const ada = await on.member("Ada Gone");
    await on.suspend(ada);
    const code = { code: "sign-in-required" };
    await expect(on.settings.get(ada)).rejects.toMatchObject(code);
    await expect(on.settings.change(ada, { showEmail: true })).rejects.toMatchObject(code);
    await expect(on.settings.change(ada, { altReminder: false })).rejects.toMatchObject(code);
    await expect(on.settings.changeUsername(ada, freeName())).rejects.toMatchObject(code);
  });
});

describe("somebody else's private email", () => {
  test("is in no response of any feature, to a visitor or a stranger", async () => {
    const [ada, bob, eve] = [
      await on.member("Ada Private"),
      await on.member("Bob Friend"),
      await on.member("Eve Stranger"),
    ];
    const text = await on.textPost(ada, "A few words");
    const photo = await on.photoPost(ada, "A photo");
    await on.follows.follow(bob, ada.id);
    await on.follows.follow(ada, bob.id);
    await on.follows.follow(eve, ada.id);
    await on.likes.like(bob, text);
    await on.comments.add(bob, text, "Nice words", null);
    await on.bookmarks.save(eve, text);
    await on.bookmarks.save(eve, photo);
    const here = { ip: "192.0.2.9" };

    const answers: unknown[] = [];
    for (const viewer of [null, eve]) {
      answers.push(
        await on.accounts.findByAddress(null, ada.email),
        await on.accounts.findById(null, ada.id),
        await on.profiles.get(viewer, ada.id),
        await on.posts.get(viewer, ada.email, text.number),
        await on.posts.get(viewer, ada.username, photo.number),
        await on.posts.photosOf(viewer, ada.id, null),
        await on.posts.textsOf(viewer, ada.id, null),
        await on.follows.followers(viewer, ada.id, null),
        await on.follows.following(viewer, ada.id, null),
        await on.comments.list(viewer, text, null),
        await on.search.accounts(viewer, ada.email, null, here),
        await on.search.accounts(viewer, "private", null, here),
      );
    }
    answers.push(
      await on.feed.home(eve, null),
      await on.suggestions.list(eve),
      await on.bookmarks.list(eve, "texts", null),
      await on.bookmarks.list(eve, "photos", null),
      await on.follows.follow(eve, bob.id),
      await on.likes.like(eve, text),
      await on.settings.get(eve),
      await on.identity.sessions.viewerOf({}),
    );
    const shown = JSON.stringify(answers);
    expect(shown).toContain(ada.username);
    expect(shown).toContain("Nice words");
    expect(shown).toContain(eve.email);
    expect(shown).not.toContain(ada.email);
    expect(shown).not.toContain(bob.email);
  });
});
