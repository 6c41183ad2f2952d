import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from "node:crypto";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { refuse } from "#shared/errors.ts";
import { composePassword, passwordProblems } from "#shared/passwords.ts";

/**
 * argon2id with 19 MiB, 2 passes, 1 lane: the first choice of OWASP's Password Storage Cheat Sheet.
 * Measured on the two cores this was built on: about 35 ms.
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const saltBytes = 16;

const derive = promisify(argon2) as (
  algorithm: "argon2id",
  parameters: Argon2Parameters,
) => Promise<Buffer>;
// Two at a time: hashing shares its threads with images, files and name look-ups.
const inTurn = pLimit(2);

/**
 * The password's hash in PHC string form (`$argon2id$v=19$m=…,t=…,p=…$salt$hash`, as in
 * github.com/P-H-C/phc-string-format), so that the cost may rise later.
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(saltBytes);
  const hash = await inTurn(() => derive("argon2id", { message: bytes(password), nonce, ...cost }));
  return phcOf(nonce, hash);
}

function phcOf(salt: Buffer, hash: Buffer): string {
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** The hash of no password: comparing with it takes as long as with an account's. */
export const dummyHash = phcOf(randomBytes(saltBytes), randomBytes(cost.tagLength));

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Whether `password` is the one that `hash` was made from. A hash of another kind matches nothing. */
export async function verifyPassword({
  hash,
  password,
}: {
  hash: string;
  password: string;
}): Promise<boolean> {
  const [, memory, passes, parallelism, salt = "", tag = ""] = phc.exec(hash) ?? [];
  if (tag === "") return false;
  const expected = Buffer.from(tag, "base64");
  const derived = await inTurn(() =>
    derive("argon2id", {
      message: bytes(password),
      nonce: Buffer.from(salt, "base64"),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: expected.length,
    }),
  );
  return timingSafeEqual(derived, expected);
}

let common: Promise<ReadonlySet<string>> | undefined;

/** The owner of the password: their own name or email protects nothing. */
export type PasswordOwner = { email: string; fullName: string; username?: string };

/**
 * Refuses, with input-invalid beside the field `password`, what is guessed first: one of the 49,000
 * most used passwords, in any letter case; the product's name, or the owner's email or name, with
 * or without digits and signs around it; and a few repeated characters. The list is read at the
 * first password and then stays in memory: 4 MB.
 */
export async function refuseWeakPassword(password: string, owner: PasswordOwner): Promise<void> {
  const problem = await weaknessOf(password.toLowerCase(), owner);
  if (problem) throw refuse("input-invalid", { fields: { password: passwordProblems[problem] } });
}

async function weaknessOf(
  password: string,
  { email, fullName, username = "" }: PasswordOwner,
): Promise<"common" | "repeated" | "personal" | null> {
  common ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"]),
  );
  if ((await common).has(password)) return "common";
  if (/^(.{1,4})\1+$/su.test(password)) return "repeated";
  const bare = bareOf(password);
  if (bare === "") return null;
  if (bare === "postcard") return "common";
  const own = [email, email.split("@", 1)[0] ?? "", fullName, ...fullName.split(/\s+/u), username];
  return own.some((text) => bareOf(text.toLowerCase()) === bare) ? "personal" : null;
}

/** Without digits and signs at its ends, and without spaces. */
function bareOf(text: string): string {
  const letters = composePassword(text).replaceAll(/\s/gu, "");
  return /\p{L}(?:.*\p{L})?/su.exec(letters)?.[0] ?? "";
}

function bytes(password: string): Buffer {
  return Buffer.from(composePassword(password), "utf8");
}

function unpadded(buffer: Buffer): string {
  return buffer.toString("base64").replaceAll("=", "");
}
