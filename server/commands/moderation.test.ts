import { beforeAll, expect, test } from "vitest";
import { runAdmin } from "#server/test/admin-commands.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";

let on: TestFeatures;

beforeAll(async () => {
  const { db } = await freshDatabase();
  on = testFeatures(db);
});

const admin = (...words: string[]) => runAdmin({ features: on }, ...words);

test("operators read reports and decide them, about moderators as well", async () => {
  const [moderator, bob] = [await on.member("Mo Derator"), await on.member("Bob Reporter")];
  await on.administration.setRole(moderator.id, "moderator");
  const { number } = await on.textPost(moderator, "Buy\u001b[2J my coins");
  const about = { kind: "post", author: moderator.username, number };
  await on.reports.report(bob, about, { reason: "spam", words: "The third\ntoday" });

  const listed = await admin("reports");
  expect(listed).toContain(`post of @${moderator.username}, 1 reports`);
  expect(listed, "nothing moves the cursor").toContain("Buy[2J my coins");
  const [id = ""] = listed.split(" ");
  expect(await admin("reports", id)).toContain(`@${bob.username}: Spam or a scam. The third today`);

  await admin("verdict", id, "suspend", "No adverts", "--days", "2", "--take-down");
  expect(await on.administration.find(moderator.id)).toMatchObject({
    suspendedAt: expect.any(Date),
    suspendedUntil: expect.any(Date),
    posts: 0,
  });
  expect(await on.moderation.suspensionOf(moderator.id)).toMatchObject({ reason: "No adverts" });
  expect(await admin("reports")).toBe("All clear.\n");
});
