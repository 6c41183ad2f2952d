import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

/** Two installations on one database: one mails links that confirm an email, one cannot. */
let mailing: TestFeatures;
let mailless: TestFeatures;
let db: Database;
let bob: Viewer;

const here = { ip: "192.0.2.9" };

beforeAll(async () => {
  ({ db } = await freshDatabase());
  // nothing is delivered: no job runs here
  mailing = testFeatures(db, { smtpUrl: "smtp://127.0.0.1:9" });
  mailless = testFeatures(db);
  bob = await mailing.member("Bob Onlooker");
});

/** Somebody who shows an email, and wrote something under it. */
async function claimer() {
  const ada = await mailing.member("Ada Claims");
  await mailing.settings.change(ada, { showEmail: true, findableByEmail: true });
  const post = await mailing.textPost(ada, "Buy my shares");
  await mailing.comments.add(ada, post, "And these", null);
  await mailing.follows.follow(ada, bob.id);
  await mailing.follows.follow(bob, ada.id);
  return { ada, post };
}

const refused = (error: { code?: string }) => error.code;

/** What each way to use an email finds, and everything shown of its account. */
async function emailUses(on: TestFeatures, viewer: Viewer | null, ada: Viewer, number: number) {
  const { email } = ada;
  const search = await on.search.accounts(viewer, email, null, here);
  const part = await on.search.accounts(viewer, email.slice(0, -4), null, here);
  const named = await on.documents.byId(viewer, ada.id);
  const answers = [
    await on.profiles.get(viewer, ada.id),
    named,
    await on.documents.byId(viewer, bob.id),
    await on.threads.ofPost(viewer, ada.username, number),
    await on.posts.get(viewer, ada.username, number),
  ];
  return {
    "the address of a screen": (await on.accounts.findByAddress(viewer, email))?.id,
    "a search": search.items.map(({ id }) => id)[0],
    "a search by a part": part.items.map(({ id }) => id)[0],
    "a post": (await on.posts.get(viewer, email, number))?.author.id,
    "a document": await on.documents.at(viewer, email).then(({ _id }) => _id, refused),
    "a conversation":
      viewer &&
      viewer.id !== ada.id &&
      (await on.chat
        .conversation(viewer, `${viewer.email}${email}`)
        .then(({ other }) => other?.id, refused)),
    "every answer": JSON.stringify(answers).includes(email),
  };
}

const closed = {
  "the address of a screen": undefined,
  "a search": undefined,
  "a search by a part": undefined,
  "a post": undefined,
  "a document": "not-found",
  "a conversation": "not-found",
  "every answer": false,
};

const openTo = ({ id }: Viewer) => ({
  "the address of a screen": id,
  "a search": id,
  "a search by a part": id,
  "a post": id,
  "a document": id,
  "a conversation": id,
  "every answer": true,
});

describe("an email that nobody confirmed", () => {
  test("is shown to nobody else and leads nobody else to the account, where mail confirms it", async () => {
    const { ada, post } = await claimer();
    expect(await emailUses(mailing, bob, ada, post.number)).toEqual(closed);
    expect(await emailUses(mailing, null, ada, post.number)).toEqual({
      ...closed,
      "a conversation": null,
    });
    await query(db, "update accounts set email_verified = true where id = $1", [ada.id]);
    expect(await emailUses(mailing, bob, ada, post.number)).toEqual(openTo(ada));
  });

  test("counts as before where no mail is sent and nobody could confirm it", async () => {
    const { ada, post } = await claimer();
    expect(await emailUses(mailless, bob, ada, post.number)).toEqual(openTo(ada));
  });

  test("always works in its owner's calls", async () => {
    const { ada, post } = await claimer();
    expect(await emailUses(mailing, ada, ada, post.number)).toEqual({
      ...openTo(ada),
      "a conversation": false,
    });
    const own = await mailing.documents.at(ada, ada.email.toUpperCase());
    expect([own.email, own.posts[0]?.author]).toEqual([ada.email, ada.email]);
  });
});
