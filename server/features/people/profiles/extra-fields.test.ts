import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { afterFile } from "#server/test/after-file.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { cutExtra, extraInputsOf } from "#shared/extra-fields.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

const names = { firstName: "Ada", secondName: "Lovelace" };
const fieldsOf = async ({ id }: Viewer) => (await on.profiles.get(null, id))?.extraFields;
const save = (member: Viewer, ...fields: [name: string, value: string][]) =>
  on.profiles.edit(member, {
    ...names,
    ...extraInputsOf(fields.map(([name, value]) => ({ name, value }))),
  });

describe("the fields of a profile", () => {
  test("have any name and any value, in their order, and stay where a save names none", async () => {
    const ada = await on.member();
    await save(ada, ["Pronouns", " she/her "], ["", "https://ada.example"], ["בית", "👩‍🎨\nx"]);
    const fields = [
      { name: "Pronouns", value: "she/her", verifiedAt: null },
      { name: "", value: "https://ada.example", verifiedAt: null },
      { name: "בית", value: "👩‍🎨 x", verifiedAt: null },
    ];
    expect(await fieldsOf(ada)).toEqual(fields);
    expect(await on.profiles.edit(ada, { ...names, bio: "New" })).toMatchObject({
      modifiedCount: 1,
    });
    expect(await fieldsOf(ada)).toEqual(fields);
    const [details] = await on.relations.details(null, [ada.id]);
    expect(details?.extraFields).toEqual(fields);
    await save(ada, ["", " \u200b "]);
    expect(await fieldsOf(ada)).toEqual([]);
  });

  test("take 255 letters each, and say which has more", async () => {
    const ada = await on.member();
    const full = "👩‍🎨".repeat(255);
    await save(ada, [full, full], ["", ""], ["", ""], [full, full]);
    expect((await fieldsOf(ada))?.map(({ value }) => value)).toEqual([full, full]);
    await expect(save(ada, ["", ""], ["short", `${full}x`])).rejects.toMatchObject({
      code: "input-invalid",
      fields: { fieldValue2: "A field can have 255 characters; this is 1 too many." },
    });
    expect(cutExtra(`${full}x`)).toBe(full);
    expect(cutExtra(`a${"\u0301".repeat(9000)}`)).toBe("");
  });

  test("are in what moderators get of a reported account", async () => {
    const [ada, bob] = [await on.member(), await on.member("Bob")];
    await save(ada, ["Shop", "fake watches"], ["", "https://watches.example"]);
    await on.reports.report(
      bob,
      { kind: "account", accountId: ada.id },
      { reason: "spam", words: "" },
    );
    const rows = await query<{ said: string }>(
      db,
      "select said from moderation_cases where account_id = $1",
      [ada.id],
    );
    expect(rows[0]?.said).toContain("Shop: fake watches\nhttps://watches.example");
  });
});

const linkTo = (name: string, at = "http://localhost:3000") =>
  `<p>Me: <a rel="me" href="${at}/${name}">photos</a></p>`;

describe("an address on a profile", () => {
  /** A site whose only page says what `page` says; without it there is none. */
  const site: { page: string | null; origin: string } = { page: null, origin: "" };
  beforeAll(async () => {
    const server = createServer((_, response) =>
      response
        .writeHead(site.page === null ? 503 : 200, { "content-type": "text/html" })
        .end(site.page),
    );
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    afterFile(() => server.close());
    site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  async function verifiedAfter(page: string | null, member: Viewer, value = site.origin) {
    site.page = page;
    await save(member, ["Home", value], ["Other", "words"]);
    expect(await on.jobs.runDue()).toMatchObject({ failed: [] });
    const fields = await fieldsOf(member);
    expect(fields?.[1]?.verifiedAt).toBeNull();
    return fields?.[0]?.verifiedAt ?? null;
  }

  test("is verified while its page leads back to that profile, and to no other", async () => {
    const [ada, bob] = [await on.member(), await on.member("Bob")];
    for (const path of [`users/${ada.id}`, `search/${ada.id}`, `search/${ada.username}`])
      expect(await verifiedAfter(linkTo(path), ada), path).toBeGreaterThan(0);
    const { id } = ada;
    expect(await on.profiles.get(null, id)).toMatchObject({ websiteVerifiedAt: null });
    for (const page of [
      linkTo(`users/${bob.id}`),
      linkTo(`users/${id}`, "https://elsewhere.example"),
      linkTo(`post/${ada.username}/1`),
      linkTo(`users/${id}`).replace('"me"', '"nofollow"'),
      `<!-- ${linkTo(`users/${id}`)} -->`,
    ])
      expect(await verifiedAfter(page, ada), page).toBeNull();
  });

  test("stays verified while its page can't be read, and not under another address", async () => {
    const ada = await on.member();
    const since = await verifiedAfter(linkTo(`users/${ada.id}`), ada);
    expect(since).not.toBeNull();
    expect(await verifiedAfter(null, ada)).toBe(since);
    expect(await verifiedAfter(null, ada, `${site.origin}/other`)).toBeNull();
    const left = await query(db, "select 1 from verified_links where account_id = $1", [ada.id]);
    expect(left).toEqual([]);
  });

  test("is checked again by a save that changes nothing", async () => {
    const ada = await on.member();
    expect(await verifiedAfter("<p>Nothing yet</p>", ada)).toBeNull();
    expect(await verifiedAfter(linkTo(`users/${ada.id}`), ada)).not.toBeNull();
  });

  test("is looked at again by itself, as long as it has its mark", async () => {
    const ada = await on.member();
    expect(await verifiedAfter(linkTo(`users/${ada.id}`), ada)).not.toBeNull();
    for (const page of ["<p>Sold</p>", linkTo(`users/${ada.id}`)]) {
      site.page = page;
      expect(await on.jobs.runDue({ later: true })).toMatchObject({ failed: [] });
      expect((await fieldsOf(ada))?.[0]?.verifiedAt, page).toBeNull();
    }
  });
});
