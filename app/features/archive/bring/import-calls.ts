import type { ExportKind } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";
import type { Audience } from "#shared/posts.ts";
import type { DevicePost } from "#app/features/archive/device/read-export.ts";
import { sendJson } from "#app/lib/api-client.ts";

const { keysAtOnce } = limits.archive;

/** The import that the posts go into: a new one, or the one of this kind that is still open. @throws CallError */
export async function beginImport(wanted: {
  kind: ExportKind;
  audience: Audience;
  showNewest: boolean;
  posts: number;
  bytes: number;
}): Promise<string> {
  const { id } = await sendJson<{ id: string }>("POST", "/calls/imports", wanted);
  return id;
}

/** Those of the posts that are here already, by their keys. @throws CallError */
export async function knownOf(posts: readonly DevicePost[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (let at = 0; at < posts.length; at += keysAtOnce) {
    const keys = posts.slice(at, at + keysAtOnce).map(({ key }) => key);
    const { known } = await sendJson<{ known: string[] }>("POST", "/calls/imports/known", { keys });
    for (const key of known) found.add(key);
  }
  return found;
}

/** Ends an open import; what is here stays. @throws CallError */
export const endImport = (id: string, result: { skipped?: string[]; leftOut?: string[] } = {}) =>
  sendJson("POST", `/calls/imports/${id}/end`, result);
