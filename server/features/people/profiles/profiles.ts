import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import type { z } from "zod";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/people/profiles/profiles.queries.ts";
import { refuse } from "#shared/errors.ts";
import { extraFieldsIn } from "#shared/extra-fields.ts";
import { parseInput } from "#shared/inputs.ts";
import { nameProblem, profileFieldNames } from "#shared/profiles.ts";
import { editInput } from "#shared/profiles.inputs.ts";
import { namesOf, pick } from "#shared/records.ts";
import { cleanName, joinNames, searchName } from "#shared/text.ts";
import type { ProfileView, Viewer } from "#shared/views.ts";

/** What profiles need of the images feature. */
type Images = {
  /** In a transaction; refuses an image that is not the account's or is in use already. */
  claim: (accountId: string, imageIds: readonly string[]) => Promise<void>;
  /** After the commit that deleted their rows. */
  removeFiles: (keys: readonly string[]) => Promise<void>;
};

type Deps = {
  db: Database;
  images: Images;
  /** in the transaction of a save: its addresses are to be checked */
  checkLinks: (accountId: string) => Promise<void>;
  log: Pick<Logger, "warn">;
};
type Edit = z.output<typeof editInput>;

const restInput = editInput.omit({ firstName: true, secondName: true });
type Update = z.input<typeof restInput> & { displayName?: string | undefined };

type Saved = { matchedCount: number; modifiedCount: number };

/** An account's profile, as its viewer sees it and its owner edits it. */
export function createProfiles(deps: Deps) {
  const { db } = deps;
  return {
    get: async (viewer: Viewer | null, accountId: string): Promise<ProfileView | null> =>
      isId(accountId) ? queries.findProfile(db, viewer?.id ?? null, accountId) : null,

    /**
     * Stores names, bio, website, fields and avatar, or nothing at all. The previous avatar is deleted,
     * with its files. Saving twice changes nothing more. `matchedCount` is 0 when the account was
     * deleted meanwhile, `modifiedCount` when nothing changed. Refuses with input-invalid,
     * picture-unknown.
     */
    edit: async (viewer: Viewer, input: z.input<typeof editInput>): Promise<Saved> =>
      save(deps, viewer, parseInput(editInput, input)),

    /**
     * The same with a display name in one piece instead of two names. A name that reads as it does
     * now keeps its two parts; another one is split at its first space. Everything else is that of
     * `edit`, and all is stored or nothing. Refuses with input-invalid, picture-unknown.
     */
    update: async (viewer: Viewer, { displayName, ...input }: Update): Promise<Saved> => {
      const current = { firstName: viewer.firstName, secondName: viewer.secondName };
      const rest = parseInput(restInput, input);
      const wanted = displayName === undefined ? current : splitName(displayName, current);
      return save(deps, viewer, { ...wanted, ...rest });
    },

    /**
     * Removes the avatar, with its files: initials replace it. Does nothing where there is none.
     */
    removeAvatar: (viewer: Viewer): Promise<void> =>
      withoutFiles(deps, async (unused) => {
        const before = await queries.lockProfile(db, viewer.id);
        if (!before?.imageId) return;
        await queries.writeProfile(db, viewer.id, { imageId: null });
        unused.push(...(await queries.deleteImage(db, viewer.id, before.imageId)));
      }),
  };
}

async function save(deps: Deps, viewer: Viewer, wanted: Edit): Promise<Saved> {
  if (wanted.imageId && !isId(wanted.imageId)) throw refuse("picture-unknown");
  return withoutFiles(deps, (unused) => write(deps, viewer.id, wanted, unused));
}

/**
 * Runs `work` in a transaction and then removes the files whose keys it collected, since no row
 * names them any more. Those that could not be removed are left for the sweep.
 */
async function withoutFiles<Result>(
  { db, images, log }: Deps,
  work: (unused: string[]) => Promise<Result>,
): Promise<Result> {
  let filesGone: Promise<void> | undefined;
  const result = await db.transaction(async () => {
    const files: string[] = [];
    const done = await work(files);
    db.afterCommit(() => {
      filesGone = images.removeFiles(files).catch((error: unknown) => {
        log.warn({ err: error, files }, "a former avatar is still stored");
      });
    });
    return done;
  });
  await filesGone;
  return result;
}

/** Runs inside a transaction; adds keys of files that no row names any more to `unused`. */
async function write(
  { db, images, checkLinks }: Deps,
  accountId: string,
  { imageId, ...words }: Edit,
  unused: string[],
): Promise<Saved> {
  const before = await queries.lockProfile(db, accountId);
  if (!before) return { matchedCount: 0, modifiedCount: 0 };
  const fullName = joinNames(words.firstName, words.secondName);
  const { username, imageId: oldImage } = before;
  const newImage = imageId && imageId.toLowerCase() !== oldImage ? imageId : null;
  if (newImage) await images.claim(accountId, [newImage]);
  const after = {
    ...before,
    ...pick(words, profileFieldNames),
    extraFields: extraFieldsIn(words) ?? before.extraFields,
    fullName,
    searchName: searchName(fullName, username),
    imageId: newImage ?? oldImage,
  };
  const changed = namesOf(after).filter((name) => !isDeepStrictEqual(after[name], before[name]));
  // Of a profile that stays as it was, too: its owner may just have linked to it.
  await checkLinks(accountId);
  if (changed.length === 0) return { matchedCount: 1, modifiedCount: 0 };
  await queries.writeProfile(db, accountId, pick(after, changed));
  if (newImage && oldImage) unused.push(...(await queries.deleteImage(db, accountId, oldImage)));
  return { matchedCount: 1, modifiedCount: 1 };
}

/** A name in one piece as its two parts; the second may be empty, as at sign-up. */
function splitName(displayName: string, current: { firstName: string; secondName: string }) {
  const name = cleanName(displayName);
  if (name === joinNames(current.firstName, current.secondName)) return current;
  const [firstName = "", ...rest] = name.split(" ");
  const secondName = rest.join(" ");
  const problem =
    nameProblem("First name", firstName) ??
    (secondName === "" ? null : nameProblem("Second name", secondName));
  if (problem) throw refuse("input-invalid", { fields: { displayName: problem } });
  return { firstName, secondName };
}

export type Profiles = ReturnType<typeof createProfiles>;
