import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { CommentView, PostView } from "#shared/views.ts";
import { keepDraft } from "#app/features/comments/kept-draft.ts";
import { callPathOf, pathOfPost } from "#app/lib/text/links.ts";
import { callErrorOf, isSignedOut, sendJson, sentenceAbout } from "#app/lib/forms/post-form.ts";
import { signInPath } from "#app/lib/return-path.ts";

export type CommentProblem = { message: string; fields?: Record<string, string> | undefined };

type Options = {
  post: PostView;
  signedIn: boolean;
  clientKey: string;
  onAdded: (comment: CommentView) => void;
  /** what it answers was deleted: the words are still there, to be posted on their own */
  onReplyGone: () => void;
};

/** Of a post's address: which comment the form answers. */
export const replyParameter = "reply";

/** Sends a comment, one at a time. A visitor signs in first; the words wait meanwhile. */
export function useAddComment({ post, signedIn, clientKey, onAdded, onReplyGone }: Options) {
  const navigate = useNavigate();
  // The same words sent again, when their answer was lost, are one comment; other words are another.
  const sent = useRef({ key: clientKey, count: 0, body: "" });
  const busy = useRef(false);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<CommentProblem | null | undefined>();

  async function signInFirst(body: string, replyTo: string | null) {
    keepDraft(post.id, body);
    const search = replyTo ? `?${replyParameter}=${replyTo}` : "";
    await navigate(signInPath({ pathname: `${pathOfPost(post)}${search}#comments` }));
  }

  /** @returns whether it is saved */
  async function add(body: string, replyTo: string | null): Promise<boolean> {
    if (busy.current) return false;
    busy.current = true;
    setSaving(true);
    setProblem(null);
    try {
      if (!signedIn) {
        await signInFirst(body, replyTo);
        return false;
      }
      const { key, body: before } = sent.current;
      const said = `${replyTo} ${body}`;
      if (before !== said) sent.current = { key, body: said, count: sent.current.count + 1 };
      const headers = { "Idempotency-Key": `${key}.${sent.current.count}` };
      onAdded(await sendJson("POST", `${callPathOf(post)}/comments`, { body, replyTo }, headers));
      sent.current.body = "";
      return true;
    } catch (error) {
      if (isSignedOut(error)) await signInFirst(body, replyTo);
      const { fields, code } = callErrorOf(error);
      if (code === "comment-gone") onReplyGone();
      setProblem({
        message: `Your comment is still here. ${sentenceAbout("post", error)}`,
        fields,
      });
      return false;
    } finally {
      busy.current = false;
      setSaving(false);
    }
  }
  return { add, saving, problem };
}
