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
};

/** Sends a comment, one at a time. A visitor signs in first; the words wait meanwhile. */
export function useAddComment({ post, signedIn, clientKey, onAdded }: Options) {
  const navigate = useNavigate();
  // The same words sent again, when their answer was lost, are one comment; other words are another.
  const sent = useRef({ key: clientKey, count: 0, body: "" });
  const busy = useRef(false);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<CommentProblem | null | undefined>();

  async function signInFirst(body: string) {
    keepDraft(post.id, body);
    await navigate(signInPath({ pathname: `${pathOfPost(post)}#comments` }));
  }

  /** @returns whether it is saved */
  async function add(body: string): Promise<boolean> {
    if (busy.current) return false;
    busy.current = true;
    setSaving(true);
    setProblem(null);
    try {
      if (!signedIn) {
        await signInFirst(body);
        return false;
      }
      const { key, body: before } = sent.current;
      if (before !== body) sent.current = { key, body, count: sent.current.count + 1 };
      const headers = { "Idempotency-Key": `${key}.${sent.current.count}` };
      onAdded(await sendJson("POST", `${callPathOf(post)}/comments`, { body }, headers));
      sent.current.body = "";
      return true;
    } catch (error) {
      if (isSignedOut(error)) await signInFirst(body);
      const { fields } = callErrorOf(error);
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
