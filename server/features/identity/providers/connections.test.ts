import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, client, goodPassword } from "#server/test/identity.ts";
import { codeOf, oidcSettings, publicUrl, testProviders } from "#server/test/providers.ts";
import { query } from "#server/test/query.ts";
import { scriptedProvider } from "#server/test/scripted-provider.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const [town, club] = [await scriptedProvider(), await scriptedProvider()];
const providers = testProviders(db, [oidcSettings("town", town), oidcSettings("club", club)]);

let ada: Viewer;
beforeAll(async () => {
  ada = (await providers.identity.join({ firstName: "Ada", secondName: "Lovelace" })).viewer;
});

const newSubject = () => randomBytes(8).toString("hex");
const personOf = (sub: string) => ({ sub, email: `${sub}@example.org`, email_verified: true });

async function connect(
  viewer: Viewer,
  sub: string,
  { password = goodPassword, comesBack = viewer as Viewer | null, to = "town" } = {},
) {
  const begun = await providers.beginConnecting(viewer, {
    provider: to,
    origin: publicUrl,
    returnTo: "/settings/security",
    inPopup: true,
    client: client(),
    password,
  });
  const provider = to === "town" ? town : club;
  const { result } = await providers.finish({
    provider: to,
    query: provider.approve(begun.url, personOf(sub)).toString(),
    viewer: comesBack,
    client: client({ cookieHeader: asCookieHeader(begun.cookies) }),
  });
  return result;
}

const connectedTo = async (viewer: Viewer) =>
  (await providers.connections(viewer))
    .filter(({ connectedSince }) => connectedSince !== null)
    .map(({ name }) => name);

describe("a member", () => {
  test("connects a provider with the password, and is signed in by it afterwards", async () => {
    const sub = newSubject();
    expect(await providers.connections(ada)).toEqual([
      { name: "town", label: "town", connectedSince: null },
      { name: "club", label: "club", connectedSince: null },
    ]);
    expect(await connect(ada, sub)).toEqual({ outcome: "connected", cookies: [] });
    expect(await connectedTo(ada)).toEqual(["town"]);
    const [first] = await providers.connections(ada);
    expect(Math.abs(Date.now() - (first?.connectedSince ?? 0))).toBeLessThan(60_000);
    const signedIn = await providers.signIn("town", town, personOf(sub));
    expect((await providers.viewerAfter(signedIn))?.id).toBe(ada.id);
    const notices = [{ accountId: ada.id, notice: { what: "provider-connected", label: "town" } }];
    expect(providers.notices).toEqual(notices);
    // the same again changes nothing
    expect(await connect(ada, sub)).toMatchObject({ outcome: "connected" });
    expect(providers.notices).toEqual(notices);
  });

  test("cannot connect with a wrong password, and is not redirected", async () => {
    const wrong = connect(ada, newSubject(), { password: "not this one" });
    await expect(wrong).rejects.toMatchObject({ code: "wrong-password" });
  });

  test("cannot connect a second sign-in of the same provider", async () => {
    expect(await codeOf(connect(ada, newSubject()))).toBe("already-connected");
  });

  test("cannot connect an identity of somebody else's account", async () => {
    const sub = newSubject();
    await providers.signIn("club", club, personOf(sub));
    expect(await codeOf(connect(ada, sub, { to: "club" }))).toBe("connected-elsewhere");
    expect(await connectedTo(ada)).toEqual(["town"]);
  });

  test("who signed out meanwhile, or is another member now, connects nothing", async () => {
    const { viewer: other } = await providers.identity.join();
    for (const comesBack of [null, other]) {
      const sub = newSubject();
      expect(await codeOf(connect(ada, sub, { to: "club", comesBack }))).toBe("sign-in-required");
      expect(await connectedTo(ada)).toEqual(["town"]);
      expect(await connectedTo(other)).toEqual([]);
    }
  });

  test("disconnects with the password; the provider then signs nobody in", async () => {
    const wrong = providers.disconnect(ada, "town", { password: "not this one" });
    await expect(wrong).rejects.toMatchObject({ code: "wrong-password" });
    await providers.disconnect(ada, "town", { password: goodPassword });
    expect(await connectedTo(ada)).toEqual([]);
    expect(providers.notices.at(-1)).toEqual({
      accountId: ada.id,
      notice: { what: "provider-disconnected", label: "town" },
    });
    const again = providers.disconnect(ada, "town", { password: goodPassword });
    await expect(again).rejects.toMatchObject({ code: "not-found" });
    const nowhere = providers.disconnect(ada, "nobody", { password: goodPassword });
    await expect(nowhere).rejects.toMatchObject({ code: "not-found" });
  });
});

/** Somebody who can sign in only by the town's provider. */
async function memberOfTown() {
  const sub = newSubject();
  const viewer = await providers.viewerAfter(await providers.signIn("town", town, personOf(sub)));
  if (!viewer) throw new Error("nobody was signed in");
  return viewer;
}

describe("the last way in", () => {
  test("is never disconnected", async () => {
    const viewer = await memberOfTown();
    const last = providers.disconnect(viewer, "town", { password: "" });
    await expect(last).rejects.toMatchObject({ code: "last-way-in", status: 409 });
    expect(await connectedTo(viewer)).toEqual(["town"]);
  });

  test("is one of two until the other is gone, even when both go at once", async () => {
    const viewer = await memberOfTown();
    await connect(viewer, newSubject(), { to: "club", password: "" });
    expect(await connectedTo(viewer)).toEqual(["town", "club"]);
    const ends = await Promise.allSettled(
      ["town", "club"].map((name) => providers.disconnect(viewer, name, { password: "" })),
    );
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await connectedTo(viewer)).toHaveLength(1);
  });

  test("is one of two beside a passkey", async () => {
    const viewer = await memberOfTown();
    await query(
      db,
      `insert into passkeys (id, account_id, name, credential_id, public_key, counter, device_type, backed_up)
       values (gen_random_uuid(), $1, 'A phone', 'its id', 'x', 0, 'singleDevice', false)`,
      [viewer.id],
    );
    const passkeys = await providers.identity.passkeys.list(viewer);
    const both = await Promise.allSettled([
      providers.disconnect(viewer, "town", { password: "" }),
      ...passkeys.map(({ id }) => providers.identity.passkeys.remove(viewer, id)),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const left = await providers.identity.passkeys.list(viewer);
    expect([...(await connectedTo(viewer)), ...left]).toHaveLength(1);
  });

  test("is not a provider that the operator removed from the configuration", async () => {
    const viewer = await memberOfTown();
    await query(
      db,
      `insert into credentials (id, account_id, provider_id, subject)
       values (gen_random_uuid(), $1, 'https://gone.example', 'x')`,
      [viewer.id],
    );
    const last = providers.disconnect(viewer, "town", { password: "" });
    await expect(last).rejects.toMatchObject({ code: "last-way-in" });
  });

  test("asks an account without a password for a recent sign-in", async () => {
    const viewer = await memberOfTown();
    await query(
      db,
      "update sessions set created_at = now() - interval '11 minutes' where account_id = $1",
      [viewer.id],
    );
    await expect(connect(viewer, newSubject(), { to: "club" })).rejects.toMatchObject({
      code: "sign-in-again",
    });
  });
});
