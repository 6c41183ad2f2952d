import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { ownCookie } from "#server/features/identity/index.ts";
import { hashToken } from "#server/platform/tokens.ts";
import type { FoundLink } from "#server/features/links/guests.queries.ts";
import { guestPath } from "#shared/shared-links.ts";

/** What a browser has of a link: its token, and proof of its password. */
export type Held = {
  token: string;
  proof: string;
  /** nobody has looked at the link with it yet */
  unused: boolean;
};

const form = /^([\w-]{22})\.([\w-]{43})?\.(new)?$/;

/** Browsers keep no cookie longer (RFC 6265bis, section 5.5). */
const mostSeconds = 400 * 24 * 60 * 60;

const isSame = (one: Buffer, other: Buffer) =>
  one.length === other.length && timingSafeEqual(one, other);

type Subject = Pick<FoundLink, "id" | "tokenHash" | "passwordHash">;

/**
 * The cookie that opens a link, in place of the token in its address. Each link has its own, for its own path: a
 * browser sends it with nothing else. It opens no other link, because it has to match the link's hash.
 */
export function createLinkCookie({ secret, secure }: { secret: string; secure: boolean }) {
  const own = Buffer.from(hkdfSync("sha256", secret, "", "postcard shared-link-passwords", 32));
  const cookieOf = (id: string) => ownCookie("link", secure, guestPath(id));

  /** Who knows the password has it: of another password it would be another. */
  const proofOf = ({ id, passwordHash }: Pick<Subject, "id" | "passwordHash">) =>
    createHmac("sha256", own).update(`${id}:${passwordHash}`).digest("base64url");

  function read(id: string, header: string | undefined): Held | null {
    const [, token, proof = "", mark] = form.exec(cookieOf(id).read(header) ?? "") ?? [];
    return token === undefined ? null : { token, proof, unused: mark === "new" };
  }

  /** The Set-Cookie value; no longer than the link opens. */
  function write(
    { id, expiresAt }: Pick<FoundLink, "id" | "expiresAt">,
    { token, proof, unused }: Held,
  ): string {
    const left = expiresAt === null ? mostSeconds : Math.ceil((expiresAt - Date.now()) / 1000);
    const value = `${token}.${proof}.${unused ? "new" : ""}`;
    return cookieOf(id).write(value, Math.min(Math.max(left, 1), mostSeconds));
  }

  return {
    read,
    write,
    proofOf,
    isOf: ({ tokenHash }: Pick<Subject, "tokenHash">, { token }: Held) =>
      isSame(hashToken(token), tokenHash),
    /** Whether the password, if there is one, was given. */
    isProven: (link: Pick<Subject, "id" | "passwordHash">, { proof }: Held) =>
      link.passwordHash === null || isSame(Buffer.from(proof), Buffer.from(proofOf(link))),
  };
}
