import type { FastifyRequest } from "fastify";
import type { AnswerOf, Call, CallSchema, Sent } from "#server/api/declared-calls.ts";
import type { FormCalls } from "#server/api/form-calls.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { readCookie, type Leaving } from "#server/features/identity/index.ts";
import type { Site } from "#server/features/operator/index.ts";
import type { Stored } from "#server/features/administration/index.ts";
import type { Features } from "#server/features/index.ts";
import type { Bounds, Form } from "#server/http/multipart.ts";
import type { OfferedLanguage } from "#shared/languages.ts";
import type { Status } from "#server/platform/status/status.ts";
import type { Viewer } from "#shared/views.ts";

type CallOfForm = <Schema extends CallSchema>(
  call: Call<Schema>,
  sent: Sent,
) => Promise<AnswerOf<Schema>>;

/** What the server hands to every loader and action of the screens. */
export type PageContext = {
  /** the signed-in member of this request, or null for a visitor */
  viewer: Viewer | null;
  /** the account this visitor signed in to that is to be deleted, which they may keep */
  leaving: Leaving | null;
  features: Features;
  calls: FormCalls;
  /** Makes a call as its route does, for a form that was sent without scripts; refuses as it does. */
  call: CallOfForm;
  /** the state of the installation, for operators */
  status: Status<Stored>;
  /** the name of this site, and who may join */
  site: Site;
  /**
   * Counts the emails in the parts of a path; refuses with too-many-attempts. Those in forms are counted as
   * they are read.
   */
  countAddresses: (params: Record<string, string | undefined>) => Promise<void>;
  client: ClientInfo;
  /** a HEAD, which loaders see as a GET */
  head: boolean;
  /**
   * Reads a form body, urlencoded or multipart. Files are taken if `maxFiles` says so, streamed to disk and
   * bounded: ask first whether they may come.
   */
  readForm: (request: Request, bounds?: Bounds) => Promise<Form>;
  /** IANA zone of the viewer's browser (cookie `time_zone`), UTC until it is known */
  timeZone: string;
  /** the languages that are offered, and that of this page */
  languages: readonly OfferedLanguage[];
  language: string;
  /** cookie `theme`; light until chosen */
  theme: "light" | "synthwave";
  /** allows inline scripts and styles of this response only */
  nonce: string;
  /** the address people use, without a slash at the end */
  publicUrl: string;
  /** the origin that the browser used for this request, as it sent it */
  origin: string;
  /** where public images are served when that is not publicUrl, without a slash at the end; else "" */
  imageBaseUrl: string;
};

/** The origin of the page (`Origin`, on everything that is sent), else the host of the request. */
export function originOf({ origin, host = "" }: FastifyRequest["headers"], publicUrl: string) {
  if (origin) return origin;
  const address = `${new URL(publicUrl).protocol}//${host}`;
  return URL.canParse(address) ? new URL(address).origin : "";
}

/** Those that exist, by the names that browsers send: checking one takes 40 µs. */
const zones = new Map<string, string>();

export function timeZoneOf(header: string | undefined): string {
  const name = readCookie(header, "time_zone")?.toLowerCase();
  if (!name) return "UTC";
  try {
    const zone =
      zones.get(name) ??
      new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    zones.set(name, zone);
    return zone;
  } catch {
    return "UTC";
  }
}

export function themeOf(header: string | undefined): "light" | "synthwave" {
  return readCookie(header, "theme") === "synthwave" ? "synthwave" : "light";
}
