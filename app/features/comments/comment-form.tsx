import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { useNavigate } from "react-router";
import { commentProblem } from "#shared/comments.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { cleanText } from "#shared/text.ts";
import type { AccountSummary, CommentView, PostView } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import { unreachable } from "#messages/shell.json";
import type { SendDeps } from "#app/features/comments/send-comment.tsx";
import type { useComments } from "#app/features/comments/use-comments.ts";
import { isServerReachable } from "#app/features/offline/server-reachable.ts";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { submitByKeys, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { tabStorage } from "#app/lib/storage.ts";
import { pathOfPost, replyParameter } from "#app/lib/text/links.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Submit } from "#app/ui/button.tsx";
import { XIcon } from "#app/ui/icons.ts";
import { LinkButton } from "#app/ui/link-button.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  post: PostView;
  clientKey: string;
  /** the answer to a submit without scripts */
  returned: { typed: { body?: string | undefined }; problem?: CommentProblem };
  /** the comment that this one replies to */
  replyTo: CommentView | null;
  onReplyTo: (comment: CommentView | null) => void;
  comments: Pick<ReturnType<typeof useComments>, "state" | "after">;
};

export type CommentProblem = { message: string; fields?: Record<string, string> | undefined };

const field = fieldsOf<FormCalls["comments"]["add"]>();

/** Loads when somebody begins to type, so that a posted comment is shown at once. */
const loadSending = async () => import("#app/features/comments/send-comment.tsx");

function check(form: FormData): FieldErrors {
  const body = commentProblem(cleanText(String(form.get("body") ?? "")));
  return body === null ? {} : { body };
}

const closedReason = ({ author, commentsFrom }: PostView): string =>
  commentsFrom === "nobody" ? words.closed : fill(words.onlyFollowed, { name: author.name });

/** Sends what an earlier page was still sending. Without its code, it waits for the next visit. */
function useUnsent(deps: SendDeps): void {
  const sendUnsent = useEffectEvent(async () => {
    if (tabStorage.read(deps.storageKeys.unsent)) (await loadSending()).sendAgain(deps);
  });
  useEffect(() => void sendUnsent().catch(() => undefined), []);
}

/** 'Leave a comment' with a 'post' button. Ctrl or ⌘ with Enter posts, too. */
export function CommentForm({ post, clientKey, returned, replyTo, onReplyTo, comments }: Props) {
  const viewer = useRootData()?.viewer ?? null;
  const navigate = useNavigate();
  const [problem, setProblem] = useState(returned.problem);
  const writerId = viewer?.id ?? "";
  const storageKeys = { draft: draftKey(post.id, writerId), unsent: unsentKey(writerId, post.id) };
  const deps = { post, viewer, comments, navigate, storageKeys: storageKeys };
  useUnsent(deps);
  const stored = useStoredDraft(post.id, writerId);
  const [posted, setPosted] = useState(false);
  // The reply that the address asks for; pressing Reply fills the field directly.
  const [asked] = useState(replyTo);
  const draft = posted
    ? ""
    : stored || returned.typed.body || (asked ? `@${asked.author.username} ` : "");
  // Once the field is there it stays, with its text, whatever the author changes meanwhile.
  const [begun] = useState(post.canComment);
  const barred = post.canComment ? null : closedReason(post);
  const { errors, ...listeners } = useFieldErrors(problem?.fields, check, submit);

  if (barred && !begun && !stored && !returned.typed.body) {
    return <p className="py-2.5 text-center text-sm text-muted">{barred}</p>;
  }

  async function submit(form: HTMLFormElement) {
    const written = () => String(new FormData(form).get("body"));
    const body = written();
    try {
      const { sendComment } = await loadSending();
      sendComment(deps, { body, answers: replyTo });
    } catch {
      // The browser may have cached the code as missing, or as an older version: the plain form needs none.
      if (await isServerReachable()) return form.submit();
      return setProblem({ message: fill(words.stillHere, { problem: unreachable }) });
    }
    setProblem(undefined);
    // Text typed while the code was loading is kept.
    if (!viewer || written() !== body) return;
    onReplyTo(null);
    dropDraft(post.id, writerId);
    setPosted(true);
    form.reset();
  }

  return (
    // The keys are a shortcut for the button.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      method="post"
      action={`${pathOfPost(post)}${replyTo ? `?${replyParameter}=${replyTo.id}` : ""}`}
      noValidate
      {...listeners}
      onFocus={() => void loadSending().catch(() => undefined)}
      onKeyDown={submitByKeys}
      className="flex flex-wrap items-end gap-x-2"
    >
      <input type="hidden" name="intent" value="comment" />
      <input type="hidden" name="clientKey" value={clientKey} />
      {replyTo && <ReplyingTo post={post} to={replyTo} onStop={() => onReplyTo(null)} />}
      {viewer && <ViewerAvatar viewer={viewer} />}
      <div className="min-w-0 flex-1">
        <TextArea
          key={draft}
          name={field("body")}
          data-completes=""
          label={words.leaveComment}
          labelHidden
          placeholder={words.leaveComment}
          rows={1}
          required
          defaultValue={draft}
          limit={limits.comment}
          error={errors["body"]}
          className="max-h-[40vh]! min-h-11! resize-none py-2"
        />
        <div role="alert">
          {(problem ? !problem.fields : barred) && (
            <p className="pt-1.5 text-sm font-medium text-danger">{problem?.message ?? barred}</p>
          )}
        </div>
      </div>
      <Submit
        className="mt-1.5 self-start"
        // A double click counts as one press; keys have no such detail.
        onClick={(event) => {
          if (event.detail > 1) event.preventDefault();
        }}
      >
        {words.post}
      </Submit>
    </form>
  );
}

const ViewerAvatar = ({ viewer }: { viewer: AccountSummary }) => (
  <span className="self-start pt-3">
    <Avatar name={viewer.name} image={viewer.avatar} size="sm" />
  </span>
);

type ReplyingToProps = { post: PostView; to: CommentView; onStop: () => void };

const ReplyingTo = ({ post, to, onStop }: ReplyingToProps) => (
  <p className="flex w-full items-center gap-1 text-sm text-muted">
    <span className="one-line">
      {rich(words.replyingTo, { name: <bdi className="truncate">{to.author.name}</bdi> })}
    </span>
    <LinkButton
      href={`${pathOfPost(post)}#comments`}
      onPress={onStop}
      aria-label={fill(words.dontReplyTo, { name: to.author.name })}
      title={words.dontReply}
      className="-my-1 grid size-11 shrink-0 place-items-center rounded-full hover:text-base-content"
    >
      <XIcon className="size-4" aria-hidden />
    </LinkButton>
  </p>
);

/**
 * A comment stored in this tab while its writer signs in: a member whose session ended, or "" for a
 * visitor, who may be anybody then. Not in the address: a comment may be longer than addresses can be.
 */
const draftKey = (postId: string, writerId: string) =>
  `comment on ${postId}${writerId && ` by ${writerId}`}`;

/** Where this tab stores comments of an account that were sent and not answered yet (unsent.ts). */
const unsentKey = (viewerId: string, postId: string) => `unsent of ${viewerId} on ${postId}`;

function dropDraft(postId: string, writerId: string): void {
  for (const writer of ["", writerId]) tabStorage.write(draftKey(postId, writer), null);
}

const never = () => () => undefined;

/** The stored text; "" on the server and during hydration. */
function useStoredDraft(postId: string, writerId: string): string {
  return useSyncExternalStore(
    never,
    () =>
      tabStorage.read(draftKey(postId, writerId)) || (tabStorage.read(draftKey(postId, "")) ?? ""),
    () => "",
  );
}
