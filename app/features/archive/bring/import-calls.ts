import type { ExportKind } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";
import type { Audience } from "#shared/posts.ts";
import type { DevicePost } from "#app/features/archive/device/read-export.ts";
import type { AccountElsewhere } from "#shared/views.ts";
import { sendJson } from "#app/lib/api-client.ts";

/** The release before does not count. */
type Known = { known: string[]; before?: number };

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

/**
 * Those of the posts that are here already, by their keys, and how many of them came before the import that is open.
 * @throws CallError
 */
export async function knownOf(posts: readonly DevicePost[]) {
  const known = new Set<string>();
  let before = 0;
  for (let at = 0; at < posts.length; at += keysAtOnce) {
    const keys = posts.slice(at, at + keysAtOnce).map(({ key }) => key);
    const answer = await sendJson<Known>("POST", "/calls/imports/known", { keys });
    for (const key of answer.known) known.add(key);
    before += answer.before ?? 0;
  }
  return { known, before };
}

/** Members whose profiles name one of these accounts, each once. @throws CallError */
export async function peopleOf(followed: readonly string[]): Promise<AccountElsewhere[]> {
  const found = new Map<string, AccountElsewhere>();
  const { atOnce } = limits.elsewhere;
  for (let at = 0; at < followed.length; at += atOnce) {
    const accounts = followed.slice(at, at + atOnce);
    const answer = await sendJson<{ people: AccountElsewhere[] }>("POST", "/calls/imports/people", {
      accounts,
    });
    for (const person of answer.people) found.set(person.id, person);
  }
  return [...found.values()].toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Ends an open import; what is here stays. @throws CallError */
export const endImport = (
  id: string,
  result: { skipped?: string[]; leftOut?: string[]; known?: number } = {},
) => sendJson("POST", `/calls/imports/${id}/end`, result);
