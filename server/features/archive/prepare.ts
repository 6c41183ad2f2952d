import type { ParsedMessage, ParsedPost } from "#server/features/archive/archive.inputs.ts";
import { skippedMessage, reasonOf } from "#shared/exports/skipped.ts";
import type { AlbumPlace, ArchivedVersion } from "#server/features/posts/index.ts";
import type { NewImportedMessage } from "#server/features/talk/index.ts";
import { messageInput } from "#shared/chat.inputs.ts";
import { isRefusal } from "#shared/errors.ts";
import type { FocalPoint } from "#shared/focal-point.ts";
import { parseInput } from "#shared/inputs.ts";
import { publishInput } from "#shared/posts.inputs.ts";
import { limits } from "#shared/limits.ts";
import {
  captionProblem,
  postChoiceNames,
  type PostChoices,
  warningProblem,
  withVeil,
} from "#shared/posts.ts";
import { pick } from "#shared/records.ts";
import { cleanName, cleanText, isBlank } from "#shared/text.ts";

/** Where an image is in an archive, and what it must be. */
export type ImageFile = {
  file: string;
  /** null: the archive does not say */
  sha256: string | null;
};

/** How a post is told apart from others of its account, and named in sentences. */
type Named = { key: string; label: string };

/** A post as it may be published, or the sentence that says why not. Character counts are already checked. */
export type PreparedPost = Named & {
  /** of the very post, if it is here */
  id: string | null;
  time: number;
  /** its audience is the widest that it may have, and its importer chooses */
  asChosen?: boolean;
  /** where it stands in albums of the same archive */
  albums?: AlbumPlace[];
} & (
    | { skipped: string }
    | (PostChoices & {
        caption: string;
        language: string | null;
        timeZone: string;
        pictures: (ImageFile & { alt: string; focalPoint: FocalPoint | null })[];
        editedAt: number | null;
        /** newest first */
        earlier: ArchivedVersion[];
      })
  );

/** A message as it may be stored, or the sentence that says why not; `label` names it in sentences. */
export type PreparedMessage =
  | { skipped: string }
  | (NewImportedMessage & {
      label: string;
      /** where the account sent it */
      file: ImageFile | null;
    });

/** Names are shown and never looked up; no honest one is this long. */
const longestName = 200;
const nothing = "it has nothing to show";

/** A post of our own archives. */
export const prepareArchived = ({ number, ...post }: ParsedPost): PreparedPost =>
  preparePost(post, { key: `import:${post.id}`, label: `Post ${number}` });

type FoundPost = Omit<ParsedPost, "id" | "number" | "pictures"> &
  Pick<PreparedPost, "id"> & {
    pictures: (ImageFile & { alt: string; focalPoint: FocalPoint | null })[];
  };

export function preparePost(from: FoundPost, named: Named): PreparedPost {
  const { id, time, pictures, editedAt, earlier, ...words } = from;
  const skip = (why: string) => {
    return { ...named, id, time, skipped: skippedMessage(named.label, why) };
  };
  try {
    const checked = parseInput(publishInput, {
      ...words,
      clientKey: null,
      pictures: pictures.map(({ alt }) => ({ imageId: "", alt })),
    });
    const caption = isBlank(checked.caption) ? "" : checked.caption;
    if (caption === "" && pictures.length === 0) return skip(nothing);
    const files = pictures.map(({ file, sha256, focalPoint }, index) => {
      return { file, sha256, focalPoint, alt: checked.pictures[index]?.alt ?? "" };
    });
    // Earlier versions are no reason to skip the post: those that are too long now are dropped.
    const versions = earlier
      .slice(0, limits.earlierVersions.most)
      .map(({ caption: once, warning: warned, until }) => {
        return { caption: cleanText(once), warning: cleanText(warned ?? "") || null, until };
      })
      .filter(({ caption: once, warning: warned }) => {
        return captionProblem(once) === null && warningProblem(warned ?? "") === null;
      });
    const { timeZone, language = null, warning = null } = checked;
    const choices = withVeil({ ...pick(from, postChoiceNames), warning });
    const rest = { timeZone, language, pictures: files, editedAt, earlier: versions };
    return { ...named, id, time, caption, ...rest, ...choices };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return skip(reasonOf(error));
  }
}

export function prepareMessage(from: ParsedMessage): PreparedMessage {
  const { id, number, sent, deleted, conversation: threadId } = from;
  const other = from.with && {
    username: nameFrom(from.with.username),
    name: nameFrom(from.with.name),
  };
  const label = `Message ${number}${other ? ` with @${other.username}` : ""}`;
  const { width = 0, height = 0, file, sha256 } = from.picture ?? {};
  const picture = deleted || !from.picture ? null : { width, height };
  if (!deleted && !picture && isBlank(from.text))
    return { skipped: skippedMessage(label, nothing) };
  try {
    const body = deleted
      ? ""
      : parseInput(messageInput(picture !== null), { body: from.text, clientKey: null }).body;
    const sentAt = Math.min(from.time, Date.now());
    const own = sent && picture && file && sha256 ? { file, sha256 } : null;
    const about = { threadId, number, id, sent, body, deleted, sentAt, other };
    return { label, ...about, picture, file: own };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { skipped: skippedMessage(label, reasonOf(error)) };
  }
}

const nameFrom = (name: string) => [...cleanName(name)].slice(0, longestName).join("");
