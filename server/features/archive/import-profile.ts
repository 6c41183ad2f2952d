import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import type { ParsedProfile } from "#server/features/archive/archive.inputs.ts";
import { discard, type ImportImages } from "#server/features/archive/import-content.ts";
import type { ArchiveImages } from "#server/features/archive/open-archive.ts";
import { isTransient, receiveImage } from "#server/features/archive/receive-image.ts";
import { lockProfile, writeProfile } from "#server/features/people/index.ts";
import type { ReceivedImage } from "#server/features/posts/index.ts";
import { isRefusal } from "#shared/errors.ts";
import {
  extraFieldsIn,
  extraInputsOf,
  extraProblem,
  type ExtraField,
} from "#shared/extra-fields.ts";
import { profileFieldNames, profileFields } from "#shared/profiles.ts";
import { recordOf } from "#shared/records.ts";
import { joinNames, searchName } from "#shared/text.ts";

type Deps = { db: Database; log: Pick<Logger, "warn">; images: ImportImages };

/** Values that the account already has stay; empty ones are filled. */
export async function importProfile(
  deps: Deps,
  accountId: string,
  archive: ArchiveImages,
  from: ParsedProfile,
): Promise<void> {
  const { db, images } = deps;
  const before = await db.transaction(() => lockProfile(db, accountId));
  if (!before) return;
  const avatar =
    from.picture && !before.imageId
      ? await receiveImage(images, archive, accountId, from.picture).catch((error: unknown) => {
          if (!isRefusal(error) || isTransient(error)) throw error;
          return null;
        })
      : null;
  const used = await db.transaction(() => fill(deps, accountId, from, avatar));
  if (avatar && !used) await discard(deps, [avatar]);
}

/** Runs inside a transaction; whether the image came into use. */
async function fill(
  { db, images }: Deps,
  accountId: string,
  from: ParsedProfile,
  avatar: ReceivedImage | null,
): Promise<boolean> {
  const own = await lockProfile(db, accountId);
  if (!own) return false;
  // Half of the account's own name is not completed with half of another.
  const nameless = own.firstName === "" && own.secondName === "";
  const words = recordOf(profileFieldNames, (name) => {
    const { problem, clean, shown } = profileFields[name];
    const isFree = own[name] === "" && (shown || nameless);
    return isFree && problem(from[name]) === null ? clean(from[name]) : own[name];
  });
  const extraFields = own.extraFields.length > 0 ? own.extraFields : fieldsOf(from);
  const fullName = joinNames(words.firstName, words.secondName);
  const imageId = avatar && !own.imageId ? await images.record(accountId, avatar) : null;
  if (imageId) await images.claim(accountId, [imageId]);
  await writeProfile(db, accountId, {
    ...words,
    extraFields,
    fullName,
    searchName: searchName(fullName, own.username),
    imageId: imageId ?? own.imageId,
  });
  return imageId !== null;
}

/** As many as there is room for, without those that cannot be saved. */
function fieldsOf({ extraFields }: ParsedProfile): ExtraField[] {
  const fit = extraFields.filter(
    ({ name, value }) => extraProblem(name) === null && extraProblem(value) === null,
  );
  return extraFieldsIn(extraInputsOf(fit)) ?? [];
}
