import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { CommentView, Page, PostView } from "#shared/views.ts";
import { keepDraft } from "#app/features/comments/kept-draft.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { callErrorOf, isSignedOut, postForm, sentenceAbout } from "#app/lib/forms/post-form.ts";
import { signInPath } from "#app/lib/return-path.ts";

export type Added = {
  comment: CommentView;
  /** the beginning of the list as it is now */
  comments: Page<CommentView>;
  count: number;
  /** makes the next comment's submit harmless when it is repeated */
  clientKey: string;
};

export type CommentProblem = { message: string; fields?: Record<string, string> | undefined };

type Options = {
  post: PostView;
  signedIn: boolean;
  clientKey: string;
  onAdded: (added: Added) => void;
};

/** Sends a comment, one at a time. A visitor signs in first; the words wait meanwhile. */
export function useAddComment({ post, signedIn, clientKey, onAdded }: Options) {
  const navigate = useNavigate();
  const key = useRef(clientKey);
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
      const added = await postForm<Added>("/calls/comment", {
        address: post.author.username,
        number: String(post.number),
        body,
        clientKey: key.current,
      });
      key.current = added.clientKey;
      onAdded(added);
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
