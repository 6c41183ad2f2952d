import { useEffect, useSyncExternalStore, type ReactNode } from "react";
import { useLocation } from "react-router";
import * as common from "#messages/common.json";
import * as words from "#messages/composer.json";
import { backgroundPost } from "#app/features/posts/composer/background-post.ts";
import { waitText } from "#app/features/posts/composer/photo-badge.tsx";
import {
  problemOfPost,
  publishPost,
  type Written,
} from "#app/features/posts/composer/publish-post.ts";
import { uploadShare } from "#app/features/posts/composer/upload-share.ts";
import { useReadable } from "#app/features/posts/composer/use-readable.ts";
import { postedPath } from "#app/lib/posted-path.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { Button, ButtonLink, IconButton } from "#app/ui/button.tsx";
import { XIcon } from "#app/ui/icons.ts";

/** How the post in the background stands, above the bar. */
export function BackgroundChip() {
  const post = useSyncExternalStore(backgroundPost.subscribe, backgroundPost.now, () => null);
  useEffect(() => backgroundPost.followOtherTabs(), []);
  if (!post) return null;
  return (
    <section
      aria-label={words.yourPost}
      className="toasts pointer-events-none fixed z-30 no-print"
      data-post={post.state}
    >
      <div className="pointer-events-auto mx-auto flex w-fit max-w-[350px] min-w-64 items-center gap-3 rounded-box border border-line bg-base-100 py-1.5 ps-3 pe-1.5 text-sm shadow-lg motion-appear md:mx-0">
        {post.state === "sending" ? <Sending written={post.written} /> : null}
        {post.state === "failed" ? (
          <>
            <Says>{fill(words.notPosted, { problem: post.problem })}</Says>
            <span className="grid">
              <Button look="quiet" className="px-3" onClick={() => void retry(post.written)}>
                {common.tryAgain}
              </Button>
              <OpenDraft />
            </span>
          </>
        ) : null}
        {post.state === "left" ? (
          <>
            <Says>{words.notOutYet}</Says>
            <OpenDraft />
          </>
        ) : null}
        {post.state === "posted" ? (
          <>
            <Says>{words.posted}</Says>
            <ButtonLink
              look="quiet"
              className="px-3 text-primary"
              to={postedPath(post)}
              onClick={() => backgroundPost.set(null)}
            >
              {words.view}
            </ButtonLink>
            <IconButton label={common.close} onClick={() => backgroundPost.set(null)}>
              <XIcon className="size-5" aria-hidden />
            </IconButton>
          </>
        ) : null}
      </div>
    </section>
  );
}

async function retry(written: Written): Promise<void> {
  const { photos } = written;
  backgroundPost.set({ state: "sending", written });
  for (const { id, state } of photos.all()) if (state === "failed") photos.resume(id);
  try {
    const post = await publishPost(written, new AbortController().signal);
    if (post) backgroundPost.set({ state: "posted", ...post });
  } catch (error) {
    const problem = problemOfPost(written, error).message;
    backgroundPost.set({ state: "failed", written, problem });
  }
}

function Sending({ written: { photos } }: { written: Written }) {
  const all = useSyncExternalStore(photos.subscribe, photos.all);
  const { photo, percent, text, there, waiting } = uploadShare(all);
  const { src, onError } = useReadable(photo ?? { preview: null, imageId: null });
  return (
    <>
      {src ? (
        <img
          src={src}
          alt=""
          onError={onError}
          className="size-10 shrink-0 rounded-field object-cover"
        />
      ) : null}
      <div className="min-w-0 grow py-1.5 pe-1.5">
        <p>{there ? words.savingPost : ((waiting && waitText(waiting)) ?? text)}</p>
        <progress
          className="progress mt-1 block w-full"
          aria-label={words.photoUpload}
          value={percent}
          max={100}
        />
      </div>
    </>
  );
}

const Says = ({ children }: { children: ReactNode }) => (
  <p role="status" className="min-w-0 grow py-1.5 wrap-anywhere">
    {children}
  </p>
);

/** In the composer, where it is a draft again; there already, it is one of the others. */
function OpenDraft() {
  return useLocation().pathname === "/upload" ? null : (
    <ButtonLink look="quiet" to="/upload" className="px-3">
      {words.open}
    </ButtonLink>
  );
}
