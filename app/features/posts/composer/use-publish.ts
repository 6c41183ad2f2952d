import { useRef } from "react";
import { useNavigate } from "react-router";
import type { PostChoices } from "#shared/posts.ts";
import { backgroundPost } from "#app/features/posts/composer/background-post.ts";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import type { DraftAutosave } from "#app/features/posts/composer/draft-autosave.ts";
import {
  problemOfPost,
  publishPost,
  type Written,
} from "#app/features/posts/composer/publish-post.ts";
import { useSending } from "#app/lib/forms/use-sending.ts";
import { postedPath } from "#app/lib/posted-path.ts";

/** Publishes a post. One at a time. */
export function usePublish(photos: ChosenPhotos, autosave: DraftAutosave) {
  const navigate = useNavigate();
  const { send: start, sending, problem, setProblem, stop } = useSending();
  const underWay = useRef<Written | null>(null);

  return {
    publish(caption: string, shows: PostChoices): Promise<boolean> {
      const written = { photos, autosave, caption, shows };
      underWay.current = written;
      const explain = (error: unknown) => problemOfPost(written, error);
      return start(async (signal) => {
        try {
          const post = await publishPost(written, signal);
          if (!post) return;
          if (backgroundPost.has(photos)) backgroundPost.set({ state: "posted", ...post });
          else await navigate(postedPath(post));
        } catch (error) {
          if (!backgroundPost.has(photos)) throw error;
          backgroundPost.set({ state: "failed", written, problem: explain(error).message });
        }
      }, explain);
    },
    saving: sending,
    problem,
    forgetProblem: () => setProblem(null),
    /** Back to the composer: uploads go on, and nothing is published. */
    keepEditing: stop,
    /** It is published when it can be, whatever its author looks at meanwhile. */
    goOn(): void {
      if (!underWay.current) return;
      backgroundPost.set({ state: "sending", written: underWay.current });
      void navigate("/");
    },
  };
}
