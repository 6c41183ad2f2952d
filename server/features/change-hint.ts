import type { Hints as HintsOf } from "#server/platform/db/hints.ts";
import { albumAudiences, type AlbumAudience } from "#shared/albums.ts";
import { audiences, type Audience } from "#shared/posts.ts";

/**
 * What changed, without its content: whoever hears it reads the tables for itself, with the rights
 * of whom it reads for.
 */
export type Hint =
  | { kind: "messages" }
  | { kind: "posted"; authorId: string; postId?: string }
  /** how often it is liked or commented on changed; `commentId`: so did this comment */
  | { kind: "post"; authorId: string; postId: string; commentId?: string }
  /** its words or photos changed; `was`: so did its audience, which it had before */
  | { kind: "edited"; authorId: string; postId: string; was?: Audience }
  /** an album is for fewer than before: its audience then */
  | { kind: "narrowed"; ownerId: string; albumId: string; was: AlbumAudience }
  /** it is not there any more; `audience`: who saw it. Left out by the release before: its author alone hears */
  | { kind: "gone"; authorId: string; postId: string; audience?: Audience }
  /** what is unread for this member changed; `actId`: because they were told of this act */
  | { kind: "unread"; accountId: string; actId?: string }
  /** the other member of a conversation has seen it up to a message */
  | { kind: "read"; accountId: string; conversationId: string; seq: number }
  /** `chatId`: the conversation, or who writes where none has begun */
  | { kind: "typing"; accountId: string; chatId: string }
  | { kind: "follow"; accountId: string; otherId: string }
  /** a browser shows other posts than before; `posts` as they are named to it */
  | { kind: "watch"; sessionId: string; streamId: string; posts: readonly string[] }
  /** how much of a limit's window, which began then, was counted for this caller at one process */
  | {
      kind: "counted";
      limit: string;
      caller: string;
      process: string;
      count: number;
      since: number;
    };

/**
 * The few characters that one process sends to others. No part of a hint has a colon or a line
 * break in it. Processes of the release before understand it: change it by adding to it.
 */
export function encodeHint(hint: Hint): string {
  switch (hint.kind) {
    case "messages":
      return "messages";
    case "posted":
      return `author:${hint.authorId}${hint.postId ? `:${hint.postId}` : ""}`;
    case "post":
      return `post:${hint.authorId}.${hint.postId}${hint.commentId ? `.${hint.commentId}` : ""}`;
    case "edited":
      return `edited:${hint.authorId}.${hint.postId}${hint.was ? `:${hint.was}` : ""}`;
    case "gone":
      return `gone:${hint.authorId}.${hint.postId}${hint.audience ? `:${hint.audience}` : ""}`;
    case "narrowed":
      return `narrowed:${hint.ownerId}.${hint.albumId}:${hint.was}`;
    case "unread":
      return `to:${hint.accountId}:unread:${hint.actId ?? ""}`;
    case "read":
      return `to:${hint.accountId}:read:${hint.conversationId}.${hint.seq}`;
    case "typing":
      return `to:${hint.accountId}:typing:${hint.chatId}`;
    case "follow":
      return `to:${hint.accountId}:follow:${hint.otherId}`;
    case "watch":
      return `watch:${hint.sessionId}:${hint.streamId}:${hint.posts.join(",")}`;
    case "counted": {
      const { limit, caller, process, count, since } = hint;
      // An IPv6 network has colons.
      return `counted:${encodeURIComponent(caller)}:${limit}:${process}.${count}.${since}`;
    }
  }
}

/** Null for what this release does not know: another process may be newer, or older. */
export function decodeHint(text: string): Hint | null {
  const [kind, subject = "", type = "", detail = ""] = text.split(":");
  if (kind === "messages") return { kind };
  if (kind === "author") {
    return { kind: "posted", authorId: subject, ...(type ? { postId: type } : {}) };
  }
  if (kind === "gone" || kind === "edited") {
    const [authorId = "", postId = ""] = subject.split(".");
    const audience = audiences.find((one) => one === type);
    if (!audience) return { kind, authorId, postId };
    return kind === "gone"
      ? { kind, authorId, postId, audience }
      : { kind, authorId, postId, was: audience };
  }
  if (kind === "narrowed") {
    const [ownerId = "", albumId = ""] = subject.split(".");
    const was = albumAudiences.find((one) => one === type);
    return was ? { kind, ownerId, albumId, was } : null;
  }
  if (kind === "post") {
    const [authorId = "", postId = "", commentId] = subject.split(".");
    return { kind, authorId, postId, ...(commentId ? { commentId } : {}) };
  }
  if (kind === "watch") {
    const posts = detail === "" ? [] : detail.split(",");
    return { kind, sessionId: subject, streamId: type, posts };
  }
  if (kind === "counted") {
    const [process = "", count, since] = detail.split(".");
    const caller = decodeURIComponent(subject);
    return { kind, limit: type, caller, process, count: Number(count), since: Number(since) };
  }
  return kind === "to" ? decodeToAccount(subject, type, detail) : null;
}

function decodeToAccount(accountId: string, kind: string, detail: string): Hint | null {
  if (kind === "unread") return { kind, accountId, ...(detail ? { actId: detail } : {}) };
  if (kind === "typing") return { kind, accountId, chatId: detail };
  if (kind === "follow") return { kind, accountId, otherId: detail };
  if (kind !== "read") return null;
  const [conversationId = "", seq] = detail.split(".");
  return { kind, accountId, conversationId, seq: Number(seq) };
}

export const hintWords = { encode: encodeHint, decode: decodeHint };

export type Hints = HintsOf<Hint>;
export type Publish = Hints["publish"];
