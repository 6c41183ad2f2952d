import type { Logger } from "pino";
import type { z } from "zod";
import type { Database } from "#server/db/database.ts";
import { isId } from "#server/db/ids.ts";
import {
  deleteImage,
  findProfile,
  lockProfile,
  writeProfile,
} from "#server/features/people/profiles/profiles.queries.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { nameProblem, profileFieldNames } from "#shared/profiles.ts";
import { editInput } from "#shared/profiles.inputs.ts";
import { namesOf, pick } from "#shared/records.ts";
import { cleanName, joinNames, searchName } from "#shared/text.ts";
import type { ProfileView, Viewer } from "#shared/views.ts";

/** What profiles need of the images feature. */
type Images = {
  /** Inside a transaction; refuses an image that is not the account's or is in use already. */
  claim: (accountId: string, imageIds: readonly string[]) => Promise<void>;
  /** After the commit that deleted their rows. */
  removeFiles: (keys: readonly string[]) => Promise<void>;
};

type Deps = { db: Database; images: Images; log: Pick<Logger, "warn"> };
type Edit = z.output<typeof editInput>;

const restInput = editInput.omit({ firstName: true, secondName: true });
type Update = z.input<typeof restInput> & { displayName?: string | undefined };

type Saved = { matchedCount: number; modifiedCount: number };

/** An account's page, as its viewer sees it and as its owner writes it. */
export function createProfiles({ db, images, log }: Deps) {
  async function get(viewer: Viewer | null, accountId: string): Promise<ProfileView | null> {
    return isId(accountId) ? findProfile(db, viewer?.id ?? null, accountId) : null;
  }

  /**
   * Saves names, bio, website and picture, or nothing at all. The picture before goes, with its
   * files. Saved twice, it is saved once. `matchedCount` is 0 when the account is gone meanwhile,
   * `modifiedCount` when all of it was so already.
   * Refuses with input-invalid, picture-unknown.
   */
  async function edit(viewer: Viewer, input: z.input<typeof editInput>): Promise<Saved> {
    const wanted = parseInput(editInput, input);
    return save(viewer, wanted);
  }

  async function save(viewer: Viewer, wanted: Edit): Promise<Saved> {
    if (wanted.imageId && !isId(wanted.imageId)) throw refuse("picture-unknown");
    let filesGone: Promise<void> | undefined;
    const saved = await db.transaction(async () => {
      const { unused, ...written } = await write(viewer.id, wanted);
      db.afterCommit(() => {
        filesGone = removeFiles(unused);
      });
      return written;
    });
    await filesGone;
    return saved;
  }

  /**
   * What identity providers call a profile, a name in one piece and a picture. A name that reads as
   * it does now keeps its two parts; another one is split at its first space. Bio and website are those
   * of `edit`, and all is saved or nothing. Refuses with input-invalid, picture-unknown.
   */
  async function update(viewer: Viewer, { displayName, ...input }: Update): Promise<Saved> {
    const kept = { firstName: viewer.firstName, secondName: viewer.secondName };
    const rest = parseInput(restInput, input);
    const wanted = displayName === undefined ? kept : splitName(displayName, kept);
    return save(viewer, { ...wanted, ...rest });
  }

  /** Takes the picture away, with its files: initials stand for it then. Fine where there is none. */
  async function removePicture(viewer: Viewer): Promise<void> {
    let filesGone: Promise<void> | undefined;
    await db.transaction(async () => {
      const before = await lockProfile(db, viewer.id);
      if (!before?.imageId) return;
      await writeProfile(db, viewer.id, { imageId: null });
      const unused = await deleteImage(db, viewer.id, before.imageId);
      db.afterCommit(() => {
        filesGone = removeFiles(unused);
      });
    });
    await filesGone;
  }

  /** Never throws: files that stay behind have no row and are the sweep's. */
  async function removeFiles(files: string[]): Promise<void> {
    await images.removeFiles(files).catch((error: unknown) => {
      log.warn({ err: error, files }, "a former profile picture is still stored");
    });
  }

  /** Runs inside a transaction; `unused` are the keys of files that no row names any more. */
  async function write(accountId: string, { imageId, ...words }: Edit) {
    const before = await lockProfile(db, accountId);
    if (!before) return { matchedCount: 0, modifiedCount: 0, unused: [] };
    const fullName = joinNames(words.firstName, words.secondName);
    const { username, imageId: oldImage } = before;
    const newImage = imageId && imageId.toLowerCase() !== oldImage ? imageId : null;
    if (newImage) await images.claim(accountId, [newImage]);
    const after = {
      ...before,
      ...pick(words, profileFieldNames),
      fullName,
      searchName: searchName(fullName, username),
      imageId: newImage ?? oldImage,
    };
    const changed = namesOf(after).filter((name) => after[name] !== before[name]);
    if (changed.length === 0) return { matchedCount: 1, modifiedCount: 0, unused: [] };
    await writeProfile(db, accountId, pick(after, changed));
    const unused = newImage && oldImage ? await deleteImage(db, accountId, oldImage) : [];
    return { matchedCount: 1, modifiedCount: 1, unused };
  }

  return { get, edit, update, removePicture };
}

/** A name in one piece as its two parts; the second may be empty, as at sign-up. */
function splitName(displayName: string, kept: { firstName: string; secondName: string }) {
  const name = cleanName(displayName);
  if (name === joinNames(kept.firstName, kept.secondName)) return kept;
  const [firstName = "", ...rest] = name.split(" ");
  const secondName = rest.join(" ");
  const problem =
    nameProblem("First name", firstName) ??
    (secondName === "" ? null : nameProblem("Second name", secondName));
  if (problem) throw refuse("input-invalid", { fields: { displayName: problem } });
  return { firstName, secondName };
}

export type Profiles = ReturnType<typeof createProfiles>;
