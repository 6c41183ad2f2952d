import { createHmac, timingSafeEqual } from "node:crypto";

/** The clocks of two machines may differ; the doctor checks that as well. */
const validMs = 60 * 60_000;

/** What a server reports to `npm run doctor` about the request it received. */
export type ObservedRequest = {
  /** the other end of the connection: a proxy, if there is one */
  connection: string;
  /** the address that Postcard takes for the visitor's */
  visitor: string;
  forwardedFor: string | null;
  host: string;
  /** by this server's clock, milliseconds since 1970 */
  now: number;
};

/**
 * What `npm run doctor` sends to a running server so that it answers how requests reach it. It is derived
 * from the installation's secret, which only its servers and its operator's commands have.
 */
export function createDoctorPass({ secret }: { secret: string }) {
  const signed = (time: string) =>
    createHmac("sha256", secret).update(`doctor ${time}`).digest("base64url");

  function issue(now = Date.now()): string {
    return `${now}.${signed(String(now))}`;
  }

  function accepts(pass: unknown, now = Date.now()): boolean {
    const [, time = "", tag = ""] = /^(\d{13})\.([\w-]{43})$/.exec(String(pass)) ?? [];
    if (Math.abs(now - Number(time)) > validMs) return false;
    return timingSafeEqual(Buffer.from(tag), Buffer.from(signed(time)));
  }

  return { issue, accepts };
}
