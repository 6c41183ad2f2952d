import type { Logger } from "pino";
import type { Database } from "#server/db/database.ts";
import { idAt } from "#server/db/ids.ts";
import type { ImportedProfile } from "#server/features/archive/archive.inputs.ts";
import * as queries from "#server/features/archive/imports.queries.ts";
import { leftOut, reasonOf } from "#server/features/archive/left-out.ts";
import type { Pictures } from "#server/features/archive/open-archive.ts";
import type { PreparedPost } from "#server/features/archive/prepare.ts";
import { passing, receivePicture } from "#server/features/archive/take-picture.ts";
import {
  bringEdits,
  insertPictures,
  insertPost,
  lockCounters,
  renewRecent,
  writeFocalPoint,
  type ReceivedImage,
} from "#server/features/posts/index.ts";
import { lockProfile, writeProfile } from "#server/features/people/index.ts";
import { isRefusal } from "#shared/errors.ts";
import { profileFieldNames, profileFields } from "#shared/profiles.ts";
import { postChoiceNames } from "#shared/posts.ts";
import { pick, recordOf } from "#shared/records.ts";
import { joinNames, searchName } from "#shared/text.ts";

/** What an import needs of the images feature. */
export type Images = {
  receive: (file: { path: string }, sender: string) => Promise<ReceivedImage>;
  receiveMoving: (file: { path: string }, sender: string) => Promise<ReceivedImage>;
  record: (accountId: string, received: ReceivedImage) => Promise<string>;
  claim: (
    accountId: string,
    imageIds: readonly string[],
    keep?: { camera: boolean; place: boolean },
  ) => Promise<void>;
  discard: (received: ReceivedImage) => Promise<void>;
};

type Deps = { db: Database; log: Pick<Logger, "warn">; images: Images };
type Outcome = "taken" | "known" | { skipped: string };
type Into = { accountId: string; createdAt: Date };

/** Puts the pieces of an archive into an account, each in a transaction of its own. */
export function createTakeOver({ db, log, images }: Deps) {
  /**
   * A post with its original time, never later than now, and its next number here. What cannot be
   * taken as it is, is left out whole, with a sentence.
   */
  async function post(into: Into, pictures: Pictures, from: PreparedPost): Promise<Outcome> {
    const { accountId } = into;
    const key = { authorId: accountId, clientKey: `import:${from.id}`, postId: from.id };
    const known = () => queries.findImported(db, { ...key, since: into.createdAt });
    const before = await known();
    if (before) return before.fresh ? "taken" : "known";

    if ("skipped" in from) return { skipped: from.skipped };

    const { caption, timeZone } = from;
    const moving = { receive: images.receiveMoving };
    const received: ReceivedImage[] = [];
    try {
      for (const each of from.pictures) {
        received.push(await receivePicture(moving, pictures, accountId, each));
      }
      const outcome = await db.transaction(async (): Promise<Outcome> => {
        await lockCounters(db, accountId);
        const meanwhile = await known();
        if (meanwhile) return meanwhile.fresh ? "taken" : "known";
        const claimed = [];
        for (const [index, each] of received.entries()) {
          const imageId = await images.record(accountId, each);
          const { alt = "", focalPoint = null } = from.pictures[index] ?? {};
          if (focalPoint) await writeFocalPoint(db, accountId, imageId, focalPoint);
          claimed.push({ imageId, alt });
        }
        // Read from the originals that came along.
        const keep = { camera: true, place: from.showPlace };
        await images.claim(
          accountId,
          claimed.map(({ imageId }) => imageId),
          keep,
        );
        const id = idAt(Math.min(from.time, Date.now()));
        const choices = pick(from, postChoiceNames);
        const made = { id, authorId: accountId, caption, timeZone, ...choices };
        await insertPost(db, { ...made, pictureCount: claimed.length, clientKey: key.clientKey });
        await insertPictures(db, { authorId: accountId, postId: id }, claimed);
        await queries.markImported(db, { authorId: accountId, id });
        const { editedAt, earlier } = from;
        await bringEdits(db, { authorId: accountId, postId: id }, { editedAt, earlier });
        if (claimed.length > 0) await renewRecent(db, accountId);
        received.length = 0;
        return "taken";
      });
      await discard(received);
      return outcome;
    } catch (error) {
      await discard(received);
      if (!isRefusal(error) || passing(error)) throw error;
      return { skipped: leftOut(`Post ${from.number}`, reasonOf(error)) };
    }
  }

  async function discard(received: readonly ReceivedImage[]): Promise<void> {
    for (const each of received) {
      await images.discard(each).catch((error: unknown) => {
        log.warn({ err: error }, "a picture of an import is left for the sweep");
      });
    }
  }

  /** What the account has of its own stays; what is empty is filled. */
  async function profile(
    accountId: string,
    pictures: Pictures,
    from: ImportedProfile,
  ): Promise<void> {
    const before = await db.transaction(() => lockProfile(db, accountId));
    if (!before) return;
    const wantsPicture = from.picture !== null && !before.imageId;
    const picture =
      wantsPicture && from.picture
        ? await receivePicture(images, pictures, accountId, from.picture).catch(
            (error: unknown) => {
              if (!isRefusal(error) || passing(error)) throw error;
              return null;
            },
          )
        : null;
    const used = await db.transaction(() => fill(accountId, from, picture));
    if (picture && !used) await discard([picture]);
  }

  /** Runs inside a transaction; whether the picture came into use. */
  async function fill(accountId: string, from: ImportedProfile, picture: ReceivedImage | null) {
    const own = await lockProfile(db, accountId);
    if (!own) return false;
    // Half a name of one's own is not made whole by half of another.
    const nameless = own.firstName === "" && own.secondName === "";
    const words = recordOf(profileFieldNames, (name) => {
      const { problem, clean, shown } = profileFields[name];
      const isFree = own[name] === "" && (shown || nameless);
      return isFree && problem(from[name]) === null ? clean(from[name]) : own[name];
    });
    const fullName = joinNames(words.firstName, words.secondName);
    const imageId = picture && !own.imageId ? await images.record(accountId, picture) : null;
    if (imageId) await images.claim(accountId, [imageId]);
    await writeProfile(db, accountId, {
      ...words,
      fullName,
      searchName: searchName(fullName, own.username),
      imageId: imageId ?? own.imageId,
    });
    return imageId !== null;
  }

  return { post, profile };
}
