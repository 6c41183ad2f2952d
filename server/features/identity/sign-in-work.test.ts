import type { Argon2Parameters } from "node:crypto";
import { expect, test, vi } from "vitest";
import { freshDatabase } from "#server/test/database.ts";
import { client, testIdentity } from "#server/test/identity.ts";

type Crypto = typeof import("node:crypto");

/** What each hash of a refusal was asked to cost. */
const hashes = vi.hoisted(() => [] as object[]);
vi.mock("node:crypto", async (original) => {
  const crypto = await original<Crypto>();
  const argon2: Crypto["argon2"] = (algorithm, parameters, done) => {
    hashes.push(costOf(parameters));
    crypto.argon2(algorithm, parameters, done);
  };
  return { ...crypto, argon2 };
});

function costOf({ memory, passes, parallelism, tagLength }: Argon2Parameters) {
  return { memory, passes, parallelism, tagLength };
}

const statements: string[] = [];
const { db } = await freshDatabase((text) => void statements.push(text));
const identity = testIdentity(db);

async function workOf(email: string) {
  hashes.length = 0;
  statements.length = 0;
  const signingIn = identity.signIn.withPassword({
    email,
    password: "wrong but plausible",
    client: client(),
  });
  await expect(signingIn).rejects.toMatchObject({ code: "wrong-credentials" });
  return { hashes: [...hashes], statements: [...statements] };
}

// Without the hash an unknown account would be refused more than ten times faster.
test("a refusal takes the same hash and statements for an unknown account as for a wrong password", async () => {
  const { viewer } = await identity.join();
  const known = await workOf(viewer.email);
  expect(known.hashes).toEqual([{ memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }]);
  expect(await workOf("unknown@example.org")).toEqual(known);
  expect(await workOf("no email")).toEqual(known);
});
