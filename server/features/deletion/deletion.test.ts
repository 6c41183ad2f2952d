import { describe, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { archiveTest } from "#server/test/archives.ts";
import { type MadePost } from "#server/test/factories.ts";
import { appCode } from "#server/test/authenticator-app.ts";
import { connectedApp, redirectUri } from "#server/test/connected-app.ts";
import { asCookieHeader, client, goodPassword } from "#server/test/identity.ts";
import { query } from "#server/test/query.ts";
import { filesBelow, namesIn, traceOf } from "#server/test/traces.ts";
import { chatIdOf } from "#shared/chat.ts";
import type { Viewer } from "#shared/views.ts";

const { db, on, archives } = await archiveTest();

const signIn = (viewer: Viewer) =>
  on.identity.signIn.withPassword({
    email: viewer.email,
    password: goodPassword,
    client: client(),
  });

const ask = (viewer: Viewer, typed: { username?: string; password?: string } = {}) =>
  on.deletion.request(
    viewer,
    { username: viewer.username, password: goodPassword, ...typed },
    client(),
  );

/** As if the days since the request had passed. */
async function letTheDaysPass({ id }: Viewer): Promise<void> {
  await query(db, "update accounts set deletion_due_at = now() where id = $1", [id]);
}

async function suggestAlt(viewer: Viewer, { author, number }: MadePost): Promise<void> {
  const post = await on.posts.get(viewer, author.username, number);
  const key = post?.pictures[0]?.key ?? "";
  const alt = `As ${viewer.id} sees it`;
  await on.altSuggestions.suggest(viewer, author.username, number, { key, alt });
}

/** Somebody whose traces are everywhere: own posts and others', both sides of every relation. */
async function busyMember(others: Viewer[]): Promise<Viewer> {
  const busy = await on.member("Busy Body");
  await on.settings.changeUsername(busy, `busy_${busy.id.slice(-8)}`);
  const viewer = { ...busy, username: `busy_${busy.id.slice(-8)}` };
  const photo = await on.photoPost(viewer, "My photo", ["one", "two"]);
  const text = await on.textPost(viewer, "My words");
  await on.upload(viewer);
  const bare = await on.photoPost(viewer, "Nobody described it");
  for (const other of others) {
    const theirs = await on.photoPost(other, "Theirs");
    for (const post of [theirs, photo, text]) {
      for (const who of [viewer, other]) {
        await on.likes.like(who, post);
        const said = await on.comments.add(who, post, `From ${who.id}`, null);
        await on.comments.add(other, post, `To ${who.id}`, null, said.id);
        await on.comments.add(viewer, post, `From ${viewer.id}`, null, said.id);
        for (const each of [viewer, other]) await on.commentLikes.like(each, post, said.id);
        await on.bookmarks.save(who, post);
        await on.collections.setOfPost(who, post, { collections: [], title: "Kept" });
      }
    }
    await suggestAlt(viewer, theirs);
    await suggestAlt(other, bare);
    await on.follows.follow(viewer, other.id);
    await on.follows.follow(other, viewer.id);
    await on.closeFriends.put(viewer, other.id);
    await on.closeFriends.put(other, viewer.id);
    for (const [owner, contributor] of [
      [viewer, other],
      [other, viewer],
    ] as const) {
      const { id } = await on.albums.create(owner, { title: "Summer" });
      await on.albumMembers.put(owner, id, contributor.username, "contributor");
      for (const who of [owner, contributor]) {
        const added = { imageId: await on.upload(who), clientKey: null, batch: "of a test" };
        await on.albums.addPhoto(who, id, added);
      }
    }
    await on.notes.set(viewer, other.id, "From work");
    await on.notes.set(other, viewer.id, "From work");
    for (const [from, to] of [
      [viewer, other],
      [other, viewer],
    ] as const) {
      const message = { body: `Only for you, from ${from.id}`, picture: await on.photo() };
      await on.chat.send(from, chatIdOf(from, to), { ...message, clientKey: null });
    }
  }
  for (const { id } of [viewer, ...others]) on.homeLists.refreshSoon(id);
  await on.homeLists.work();
  // in nobody's list yet
  await on.textPost(viewer, "My last words");
  await on.search.accounts(viewer, "somebody@example.org", null, client());
  await on.identity.signIn.complete(viewer.id, client(), "password");
  return viewer;
}

describe("asking for an account's deletion", () => {
  test("hides it at once, ends every session, and says when it will be", async () => {
    const viewer = await on.member("Lena Leaves");
    const { cookies } = await on.identity.signIn.complete(viewer.id, client(), "link");
    const before = Date.now();
    const { dueAt, cookies: answered } = await ask(viewer);
    expect(dueAt - before).toBeGreaterThan(7 * 86_400_000 - 60_000);
    expect(dueAt - before).toBeLessThan(7 * 86_400_000 + 60_000);
    expect(answered.join()).toContain("Max-Age=0");
    expect(await on.identity.sessions.viewerOf({ cookie: asCookieHeader(cookies) })).toBeNull();
    expect(await on.accounts.findById(null, viewer.id)).toBeNull();
    expect(await on.profiles.get(null, viewer.id)).toBeNull();
  });

  test.each([
    [{ username: "somebody_else" }, "input-invalid"],
    [{ username: "" }, "input-invalid"],
    [{ password: "wrong password" }, "wrong-password"],
    [{ password: "" }, "input-invalid"],
  ])("with %j is refused and changes nothing", async (typed, code) => {
    const viewer = await on.member("Still Here");
    await expect(ask(viewer, typed)).rejects.toMatchObject({ code });
    expect(await on.accounts.findById(null, viewer.id)).not.toBeNull();
    expect((await signIn(viewer)).viewer).not.toBeNull();
  });

  test("takes the username with an @ and in any letter case", async () => {
    const viewer = await on.member("At Sign");
    await ask(viewer, { username: ` @${viewer.username.toUpperCase()} ` });
    expect(await on.accounts.findById(null, viewer.id)).toBeNull();
  });
});

describe("the way back", () => {
  test("is offered to a member who signs in within the days, and brings everything back", async () => {
    const viewer = await on.member("Carla Back");
    const post = await on.textPost(viewer);
    const { dueAt } = await ask(viewer);
    const entered = await signIn(viewer);
    expect(entered).toMatchObject({ viewer: null, leaving: true });
    const cookie = asCookieHeader(entered.cookies);
    expect(await on.identity.sessions.viewerOf({ cookie })).toBeNull();
    expect(await on.identity.recovery.leavingOf({ cookie })).toEqual({
      accountId: viewer.id,
      name: "Carla Back",
      dueAt,
    });
    const sessions = await query(db, "select 1 from sessions where account_id = $1", [viewer.id]);
    expect(sessions).toEqual([]);

    expect(await on.deletion.keep(viewer.id)).toBe(true);
    expect(await on.identity.recovery.leavingOf({ cookie })).toBeNull();
    expect((await signIn(viewer)).viewer).toMatchObject({ id: viewer.id });
    expect(await on.posts.get(null, viewer.username, post.number)).not.toBeNull();
    await on.deletion.deleteDue();
    expect(await on.accounts.findById(null, viewer.id)).not.toBeNull();
  });

  test("is the same by a link, a passkey or a provider", async () => {
    const viewer = await on.member("Other Ways");
    await ask(viewer);
    for (const method of ["link", "passkey", "provider"] as const) {
      const entered = await on.identity.signIn.complete(viewer.id, client(), method);
      expect(entered).toMatchObject({ viewer: null, leaving: true });
    }
  });

  test("opens for nobody who writes the cookie themselves", async () => {
    const [viewer, other] = [await on.member("Real Owner"), await on.member("Other Leaver")];
    await ask(viewer);
    await ask(other);
    const { cookies } = await signIn(viewer);
    const offered = asCookieHeader(cookies);
    for (const forged of [
      offered.replace(viewer.id, other.id),
      offered.replace(/\.\d+\./, `.${Date.now() + 10 ** 12}.`),
      offered.replace(/.{4}$/, "AAAA"),
      `postcard.leaving=${viewer.id}`,
      "postcard.leaving=..",
    ]) {
      const found = await on.identity.recovery.leavingOf({ cookie: forged.split(";")[0] ?? "" });
      expect(found?.accountId ?? viewer.id).toBe(viewer.id);
      if (!forged.includes("AAAA")) expect(found).toBeNull();
    }
  });

  test("asks for the second step first, where it is on", async () => {
    const viewer = await on.member("Two Steps");
    const { uri } = await on.identity.twoFactor.begin(viewer, { password: goodPassword });
    const key = new URL(uri).searchParams.get("secret") ?? "";
    await on.identity.twoFactor.turnOn(viewer, await appCode(key));
    await ask(viewer);
    const entered = await signIn(viewer);
    expect(entered).toMatchObject({ viewer: null, secondFactor: true });
    const cookie = asCookieHeader(entered.cookies);
    expect(
      await on.identity.recovery.leavingOf({ cookie }),
      "the password alone keeps nothing",
    ).toBeNull();
    const begun = await on.identity.signIn.enterCode({
      code: await appCode(key, 1),
      client: client({ cookieHeader: cookie }),
    });
    expect(begun).toMatchObject({ viewer: null, leaving: true });
    const offered = asCookieHeader(begun.cookies);
    expect(await on.identity.recovery.leavingOf({ cookie: offered })).toMatchObject({
      accountId: viewer.id,
    });
    expect(await on.deletion.keep(viewer.id)).toBe(true);
    const back = await on.identity.signIn.complete(viewer.id, client(), "kept");
    expect(back.viewer?.id, "no second code after the first").toBe(viewer.id);
  });

  test("is closed once the deletion began, and to wrong passwords always", async () => {
    const viewer = await on.member("Too Late");
    await ask(viewer);
    await expect(
      on.identity.signIn.withPassword({
        email: viewer.email,
        password: "not it at all",
        client: client(),
      }),
    ).rejects.toMatchObject({ code: "wrong-credentials" });
    await query(
      db,
      "update accounts set deletion_due_at = now(), deletion_begun_at = now() where id = $1",
      [viewer.id],
    );
    expect(await on.deletion.keep(viewer.id)).toBe(false);
    await expect(signIn(viewer)).rejects.toMatchObject({ code: "wrong-credentials" });
    await expect(on.administration.restore(viewer.id)).rejects.toMatchObject({
      code: "deletion-begun",
    });
  });
});

/** What somebody else could import: a conversation with a photo. */
async function archiveWithMessages(): Promise<Buffer> {
  const [pen, pal] = (await on.members(2)) as [Viewer, Viewer];
  await on.follows.follow(pen, pal.id);
  await on.follows.follow(pal, pen.id);
  const message = { body: "See", picture: await on.photo(), clientKey: null };
  await on.chat.send(pen, chatIdOf(pen, pal), message);
  return archives.exported(pen);
}

const accountOf = (reported?: Viewer) => ({ kind: "account", accountId: reported?.id });

/** A row in each table that `busyMember` does not reach: requests, queued work, ways to sign in. */
async function leaveTracesEverywhere(viewer: Viewer): Promise<void> {
  const [blocker, blocked, muted] = await on.members(3);
  await on.blocks.block(blocker as Viewer, viewer.id);
  await on.blocks.block(viewer, blocked?.id ?? "");
  await on.blocks.mute(viewer, muted?.id ?? "");
  await on.mutedWords.mute(viewer, "spoiler");
  await on.sharedLinks.make(viewer, { kind: "profile" });
  await on.blocks.mute(muted as Viewer, viewer.id);
  await on.suggestions.dismiss(viewer, muted?.id ?? "");
  await on.suggestions.dismiss(muted as Viewer, viewer.id);
  await on.feed.visit(viewer, 20);
  for (const [asking, asked] of [
    [viewer, muted as Viewer],
    [muted as Viewer, viewer],
  ] as const) {
    await on.privacy.set(asked, true);
    await on.follows.follow(asking, asked.id);
  }
  await on.publish(viewer, { caption: "For nobody", audience: "only-me" });
  await on.notifications.changeSettings(viewer, { digest: false });
  const unwanted = await on.textPost(viewer, "Not for long");
  await on.posts.remove(viewer, viewer.username, unwanted.number);
  await on.publish(viewer, { caption: "For nobody else", audience: "only-me" });
  const answer = { status: 201, body: { by: viewer.username } };
  await on.idempotency.once(viewer, { key: "once", call: "a", payload: 1 }, async () => answer);

  // reported by the account, and the account reported; decided by it, and about it
  const reason = { reason: "spam", words: "Again" } as const;
  await on.administration.setRole(viewer.id, "moderator");
  await on.reports.report(viewer, accountOf(muted), reason);
  await on.reports.report(muted as Viewer, accountOf(viewer), reason);
  const byGuest = { makerId: viewer.id, about: { kind: "account", accountId: viewer.id } } as const;
  await on.reports.reportAsGuest(byGuest, reason, "192.0.2.7");
  await on.reports.report(muted as Viewer, accountOf(blocked), reason);
  for (const { id } of (await on.moderation.queue(null, null)).items) {
    const decided = await on.moderation.find(null, id);
    const by = decided.account.id === viewer.id ? null : { ...viewer, moderator: true };
    if (decided.account.id === blocked?.id || by === null) {
      await on.moderation.decide(by, id, { act: "warn", reason: "So that it is there" });
    }
  }

  // queued work is done before the archives, whose files are looked for
  await on.jobs.runDue();
  await on.exports.start(viewer);
  await on.resumableUploads.begin(viewer, 1000);
  await archives.imported(viewer, await archiveWithMessages());
  await on.verification.requestReset({ email: viewer.email, client: client() });
  const change = { email: `new.${viewer.email}`, password: goodPassword };
  await on.verification.requestChange(viewer, change, client());
  await on.jobs.runDue();

  // an authorized app, one that waits for its token, and what apps store
  const { clientId } = await connectedApp(on, viewer);
  const asked = { clientId, redirectUri, scope: "read", responseType: "code" };
  await on.apps.allow(viewer, { ...asked, challenge: "", challengeMethod: "" });
  await on.relations.mark(viewer, "home", decimalOf(viewer.id));
  await on.references.describe(viewer, await on.upload(viewer), { alt: "A pier" });

  const { uri } = await on.identity.twoFactor.begin(viewer, { password: goodPassword });
  const code = await appCode(new URL(uri).searchParams.get("secret") ?? "");
  await on.identity.twoFactor.turnOn(viewer, code);
  expect((await signIn(viewer)).viewer, "a sign-in waits for its code").toBeNull();
  for (const insert of [
    `insert into passkeys
      (id, account_id, name, credential_id, public_key, counter, device_type, backed_up)
     values (gen_random_uuid(), $1, 'Key', gen_random_uuid(), 'k', 0, 'singleDevice', false)`,
    `insert into push_subscriptions (account_id, id, session_id, endpoint, p256dh, auth)
     select $1, gen_random_uuid(), id, 'https://push.example/' || id, 'p', 'a'
     from sessions where account_id = $1 limit 1`,
    `insert into app_push_subscriptions
      (account_id, id, token_id, endpoint, p256dh, auth, standard, alerts, policy)
     select $1, gen_random_uuid(), id, 'https://push.example/x', 'p', 'a', true, '{}', 'all'
     from app_tokens where account_id = $1 limit 1`,
    `insert into word_filters values ($1, 1, 'Loud', '{loud}')`,
    `insert into verified_links (account_id, address) values ($1, 'https://ada.example')`,
    `insert into provider_attempts (id, state_hash, browser_hash, provider, account_id, in_popup,
      nonce, code_verifier, return_to, expires_at)
     values (gen_random_uuid(), 's', 'b', 'town', $1, true, 'n', 'v', '/', now())`,
    `insert into passkey_challenges (token_hash, account_id, challenge, expires_at)
     values ('c', $1, 'c', now() + interval '5 minutes')`,
    // on somebody's list of close friends, with one of their own; asked to be followed, and asking
    ...["close_friends", "follow_requests"].map(
      (table) => `insert into ${table}
       select $1::uuid, id, gen_random_uuid() from accounts where username = '${muted?.username}'
       union all
       select id, $1::uuid, gen_random_uuid() from accounts where username = '${muted?.username}'
       on conflict do nothing`,
    ),
  ]) {
    await query(db, insert, [viewer.id]);
  }
}

/** Every table with a column that names an account, as the database itself knows them. */
async function tablesOfAccounts(): Promise<string[]> {
  const rows = await query<{ name: string }>(
    db,
    `select distinct n.nspname || '.' || t.relname as name
     from pg_constraint c join pg_class t on t.oid = c.conrelid
     join pg_namespace n on n.oid = t.relnamespace
     where c.contype = 'f' and c.confrelid = 'accounts'::regclass`,
  );
  return rows.map(({ name }) => name);
}

describe("deleting", () => {
  test("waits for its day", async () => {
    const viewer = await on.member("Not Yet");
    await ask(viewer);
    await on.deletion.deleteDue();
    await on.deletion.deleteAccount(viewer.id);
    expect(await on.deletion.keep(viewer.id)).toBe(true);
  });

  test("leaves no row and no file of the account, and right counters with the others", async () => {
    const others = [await on.member("Friend One"), await on.member("Friend Two")];
    const viewer = await busyMember(others);
    await leaveTracesEverywhere(viewer);
    const before = await traceOf({ db, store: on.store }, viewer);
    // found before, or finding nothing later would prove nothing: a table added later fails here
    const named = [
      ...(await tablesOfAccounts()),
      "public.home_entries",
      "public.home_pending",
      "pgboss.job_common",
    ];
    expect(before.tables).toEqual(expect.arrayContaining(named));
    expect(named.length).toBeGreaterThan(25);
    expect(before.files.length).toBeGreaterThan(3);
    const archiveIds = (
      await query<{ id: string }>(
        db,
        `select id from exports where account_id = $1
         union all select id from imports where account_id = $1`,
        [viewer.id],
      )
    ).map(({ id }) => id);
    const archiveFiles = async () =>
      [
        ...(await filesBelow(on.folder)),
        ...(await namesIn(on.files, "exports/")),
        ...(await namesIn(on.files, "imports/")),
      ].filter((path) => archiveIds.some((id) => path.includes(id)));
    expect(await archiveFiles()).not.toEqual([]);
    const sentPictures = await query<{ key: string; width: number }>(
      db,
      `select p.key, p.widths[1] as width from message_pictures p
       join messages m using (conversation_id, seq) where m.sender_id = $1`,
      [viewer.id],
    );
    expect(sentPictures).toHaveLength(2);
    const brought = (
      await query<{ key: string }>(db, "select key from imported_pictures where account_id = $1", [
        viewer.id,
      ])
    ).map(({ key }) => key);
    const stillSent = () =>
      Promise.all(sentPictures.map(({ key, width }) => on.privateStore.open(key, width)));
    for (const file of await stillSent()) await file?.close();

    await ask(viewer);
    await letTheDaysPass(viewer);
    await on.deletion.deleteDue();

    expect(await traceOf({ db, store: on.store }, viewer, before.keys)).toEqual({
      // nobody can delete a line of them: an id that names nobody any more
      tables: ["public.moderation_log", "public.operator_log"],
      files: [],
      keys: [],
    });
    expect(await stillSent()).toEqual([null, null]);
    expect(await archiveFiles()).toEqual([]);
    const keys = [...before.keys, ...sentPictures.map(({ key }) => key), ...brought];
    const left = (await filesBelow(on.folder)).filter((path) =>
      keys.some((key) => path.includes(key)),
    );
    expect(left, "in the whole store").toEqual([]);
    expect(await reconcileCounters(db)).toEqual([]);
    for (const other of others) {
      const profile = await on.profiles.get(null, other.id);
      expect(profile?.counts).toEqual({ posts: 1, photos: 1, followers: 0, following: 0 });
      const post = await on.posts.get(null, other.username, 1);
      // what the other one wrote, and answered to it
      expect(post).toMatchObject({ likeCount: 1, commentCount: 2 });
      expect(JSON.stringify(post)).not.toContain(viewer.id);
    }
    await expect(signIn(viewer)).rejects.toMatchObject({ code: "wrong-credentials" });
  });

  test("frees the email and never the names", async () => {
    const viewer = await on.member("Nora Unique");
    await on.settings.changeUsername(viewer, "nora_second");
    await on.deletion.requestFor(viewer.id, 0);
    await on.deletion.deleteDue();
    const retired = await query<{ digest: Buffer }>(db, "select digest from retired_usernames");
    expect(retired.map(({ digest }) => digest.toString("latin1")).join()).not.toContain("nora");

    // the same email and name sign up again
    const { viewer: next } = await on.identity.signUp.withPassword({
      email: viewer.email,
      password: goodPassword,
      firstName: "Nora",
      secondName: "Unique",
      picture: await on.photo(),
      client: client(),
    });
    expect(next.username).not.toBe(viewer.username);
    expect(next.username.startsWith("nora_unique_")).toBe(true);
    for (const username of [viewer.username, "nora_second"]) {
      await expect(on.settings.changeUsername(next, username)).rejects.toMatchObject({
        code: "username-taken",
      });
      expect(await on.accounts.findByAddress(null, username)).toBeNull();
    }
  });

  test("is remembered by a hash of the id alone, and done again to what came back with a backup", async () => {
    const [gone, other] = [await on.member("Gone Before"), await on.member("Still Around")];
    const post = await on.photoPost(gone, "Back again");
    await on.likes.like(gone, await on.textPost(other));
    const [hash] = await query<{ account: string }>(
      db,
      "select encode(account_digest($1), 'hex') as account",
      [gone.id],
    );
    const finished = () =>
      query(db, "select 1 from finished_deletions where account_digest = decode($1, 'hex')", [
        hash?.account,
      ]);
    expect(await finished()).toEqual([]);
    const before = await traceOf({ db, store: on.store }, gone);

    const deleted = new Set([hash?.account ?? "", "0".repeat(64)]);
    expect(await on.deletion.deleteAgain(deleted)).toBe(1);
    expect(await traceOf({ db, store: on.store }, gone, before.keys)).toEqual({
      tables: [],
      files: [],
      keys: [],
    });
    expect(await on.posts.get(other, gone.username, post.number)).toBeNull();
    expect(await on.accounts.findById(null, other.id)).not.toBeNull();
    expect(await finished()).toHaveLength(1);
    expect(await reconcileCounters(db)).toEqual([]);
    expect(await on.deletion.deleteAgain(deleted)).toBe(0);
  });

  test("by two processes at once deletes once", async () => {
    const friend = await on.member("Common Friend");
    const viewer = await busyMember([friend]);
    await on.deletion.requestFor(viewer.id, 0);
    await Promise.all([1, 2, 3].map(() => on.deletion.deleteDue()));
    expect(await on.administration.list({ state: "leaving", filter: viewer.username })).toEqual({
      items: [],
      nextCursor: null,
    });
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("continues after it was interrupted between any two steps", async () => {
    const friend = await on.member("Patient Friend");
    const viewer = await busyMember([friend]);
    const { keys } = await traceOf({ db, store: on.store }, viewer);
    await on.deletion.requestFor(viewer.id, 0);
    let steps = 0;
    for (let interruptions = 0; ; interruptions += 1) {
      const stop = new AbortController();
      const onBatch = () => {
        steps += 1;
        stop.abort(new Error("killed"));
      };
      await on.deletion
        .deleteAccount(viewer.id, { signal: stop.signal, onBatch })
        .catch((error: Error) => expect(error.message).toBe("killed"));
      expect(await reconcileCounters(db)).toEqual([]);
      if (!(await on.administration.list({ filter: viewer.username })).items[0]) break;
      if (interruptions > 50) throw new Error("it never ends");
    }
    expect(steps).toBeGreaterThan(8);
    expect((await traceOf({ db, store: on.store }, viewer, keys)).tables).toEqual([]);
  });
});
