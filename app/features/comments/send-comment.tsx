import type { NavigateFunction } from "react-router";
import type { AccountSummary, CommentView, PostView } from "#shared/views.ts";
import { dropUnsent, storeUnsent, unsentAt, type Unsent } from "#app/features/comments/unsent.ts";
import type { ShownComment, useComments } from "#app/features/comments/use-comments.ts";
import { apiPathOf, pathOfPost, replyParameter } from "#app/lib/text/links.ts";
import { callErrorOf, isSignedOut, sendJson, errorMessageAbout } from "#app/lib/api-client.ts";
import { tabStorage } from "#app/lib/storage.ts";
import { isBrowserDataCleared } from "#app/lib/browser-data.ts";
import { randomKey } from "#app/lib/forms/random-key.ts";
import { signInPath } from "#app/lib/return-path.ts";
import * as words from "#messages/comments.json";
import * as common from "#messages/common.json";
import { fill } from "#app/lib/text/messages.tsx";

/*
 * Sends comments, which are shown in their position meanwhile. Each has an idempotency key, stored in the
 * tab with its text until it is answered: sent again, after a lost answer or after a reload, it is the same
 * comment. One that is marked as not posted is sent by "Try again" only: its writer may have said it
 * elsewhere by now, or thought better of it.
 */

export type SendDeps = {
  post: PostView;
  viewer: AccountSummary | null;
  comments: Pick<ReturnType<typeof useComments>, "state" | "after">;
  navigate: NavigateFunction;
  /** where this tab stores what waits for its writer to sign in, and what is not answered yet */
  storageKeys: { draft: string; unsent: string };
};

/** One after the other, in the order in which they were written. */
let before: Promise<unknown> = Promise.resolve();
/** Keys of those that their writer discarded, which may still be in that queue. */
const discarded = new Set<string>();

/** Leaving may turn out to be a download, so that the page stays: milliseconds until that is certain. */
const stayedMs = 5000;
const leaving = ["beforeunload", "pagehide"];

/**
 * A request that is aborted because the page is being left fails only if the page comes back: it is no
 * answer, and shows no mark.
 */
async function unlessLeft<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  let here: Promise<unknown> = Promise.resolve();
  const leave = () => {
    here = new Promise((resolve) => {
      addEventListener("pageshow", resolve, { once: true });
      setTimeout(resolve, stayedMs);
    });
  };
  // Only for that time: some browsers put no page with such a listener into the back/forward cache.
  for (const event of leaving) addEventListener(event, leave);
  try {
    return await work();
  } catch (error) {
    await here;
    throw error;
  } finally {
    for (const event of leaving) removeEventListener(event, leave);
  }
}

/** Shows a comment and sends it. A visitor signs in first; the text is stored meanwhile. */
export function sendComment(
  deps: SendDeps,
  { body, answers }: { body: string; answers: CommentView | null },
): void {
  const { viewer } = deps;
  const replyTo = answers?.id ?? null;
  if (!viewer) return void signInFirst(deps, body, replyTo);
  const unsent: Unsent = {
    key: randomKey(),
    body,
    replyTo,
    rootId: answers?.rootId ?? replyTo,
    at: Date.now(),
  };
  show(deps, unsent);
}

/** Those that an earlier page was sending are sent again; those that were not posted are shown. */
export function sendAgain(deps: SendDeps): void {
  if (!deps.viewer) return;
  for (const unsent of unsentAt(deps.storageKeys.unsent)) {
    if (unsent.problem === undefined) show(deps, unsent);
    else put(deps, unsent);
  }
}

function show(deps: SendDeps, unsent: Unsent): void {
  storeUnsent(deps.storageKeys.unsent, unsent);
  put(deps, unsent);
  before = before.then(async () => send(deps, unsent));
}

/** Never throws: errors are shown beside the comment. */
async function send(deps: SendDeps, unsent: Unsent): Promise<void> {
  const { post, viewer, comments, storageKeys } = deps;
  const { key, body, replyTo } = unsent;
  // Coming back to the post queued it twice; the result of the first holds for both.
  const marked = unsentAt(storageKeys.unsent).find(
    (one) => one.key === key && one.problem !== undefined,
  );
  if (marked) return put(deps, marked);
  if (discarded.has(key) || isBrowserDataCleared()) return;
  try {
    const comment = await unlessLeft(() =>
      sendJson<CommentView>(
        "POST",
        `${apiPathOf(post)}/comments`,
        { body, replyTo, senderId: viewer?.id },
        { "Idempotency-Key": key },
      ),
    );
    forget(deps, key);
    comments.after("added", comment);
  } catch (error) {
    if (isBrowserDataCleared()) return;
    const onPost = location.pathname === pathOfPost(post);
    if (isSignedOut(error) && onPost) {
      forget(deps, key);
      return signInFirst(deps, body, replyTo);
    }
    const problem = errorMessageAbout("post", error);
    const gone = callErrorOf(error).code === "comment-gone";
    if (gone) forget(deps, key);
    // Its parent was deleted: the text can be posted as a comment of its own.
    const alone = gone ? { key: randomKey(), replyTo: null, rootId: null } : {};
    const next = { ...unsent, ...alone, problem };
    storeUnsent(storageKeys.unsent, next);
    put(deps, next);
  }
}

/** The comment as it will be shown, with the state of its sending. */
function put(deps: SendDeps, unsent: Unsent): void {
  const { viewer, comments } = deps;
  if (!viewer) return;
  const { key, body, rootId, at, problem } = unsent;
  const row: ShownComment = {
    id: key,
    author: viewer,
    rootId,
    body,
    mentions: [],
    createdAt: at,
    editedAt: null,
    replyCount: 0,
    likeCount: 0,
    liked: false,
    language: null,
    editable: false,
    deletable: false,
    sending: (
      <SendStatus
        problem={problem}
        onAgain={() => show(deps, { ...unsent, problem: undefined })}
        onDiscard={() => {
          discarded.add(key);
          forget(deps, key);
        }}
      />
    ),
  };
  comments.state.setOwn((own) =>
    own.some(({ id }) => id === key)
      ? own.map((one) => (one.id === key ? row : one))
      : [...own, row],
  );
}

function forget({ comments, storageKeys }: SendDeps, key: string): void {
  dropUnsent(storageKeys.unsent, key);
  comments.state.setOwn((own) => own.filter(({ id }) => id !== key));
}

async function signInFirst(
  { post, navigate, storageKeys }: SendDeps,
  body: string,
  replyTo: string | null,
): Promise<void> {
  tabStorage.write(storageKeys.draft, body);
  const search = replyTo ? `?${replyParameter}=${replyTo}` : "";
  await navigate(signInPath({ pathname: `${pathOfPost(post)}${search}#comments` }));
}

type StatusProps = {
  /** why it was not sent; undefined while it is being sent */
  problem: string | undefined;
  onAgain: () => void;
  onDiscard: () => void;
};

const act = "-mx-2 -my-1.5 flex h-11 items-center px-2 hover:text-base-content";

/** Replaces a comment's actions while it is being sent. */
function SendStatus({ problem, onAgain, onDiscard }: StatusProps) {
  if (problem === undefined) return <span className="py-1.5">{words.sending}</span>;
  return (
    <>
      <span role="alert" className="basis-full font-medium text-danger">
        {fill(words.notPosted, { problem })}
      </span>
      <button type="button" onClick={onAgain} className={`${act} font-medium`}>
        {common.tryAgain}
      </button>
      <button type="button" onClick={onDiscard} className={act}>
        {words.discard}
      </button>
    </>
  );
}
