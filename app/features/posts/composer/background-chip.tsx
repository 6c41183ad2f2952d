import { useEffect, useSyncExternalStore } from "react";
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
import { ChipClose, ChipLink, ChipText, SendingChip } from "#app/features/sending/sending-chip.tsx";
import { postedPath } from "#app/lib/posted-path.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { Button } from "#app/ui/button.tsx";

/** How the post in the background stands, above the bar. */
export function BackgroundChip() {
  const post = useSyncExternalStore(backgroundPost.subscribe, backgroundPost.now, () => null);
  useEffect(() => backgroundPost.followOtherTabs(), []);
  if (!post) return null;
  return (
    <SendingChip label={words.yourPost}>
      {post.state === "sending" ? <Sending written={post.written} /> : null}
      {post.state === "failed" ? (
        <>
          <ChipText>{fill(words.notPosted, { problem: post.problem })}</ChipText>
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
          <ChipText>{words.notOutYet}</ChipText>
          <OpenDraft />
        </>
      ) : null}
      {post.state === "posted" ? (
        <>
          <ChipText>{words.posted}</ChipText>
          <ChipLink done to={postedPath(post)} onClick={() => backgroundPost.set(null)}>
            {words.view}
          </ChipLink>
          <ChipClose onClose={() => backgroundPost.set(null)} />
        </>
      ) : null}
    </SendingChip>
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

/** In the composer, where it is a draft again; there already, it is one of the others. */
function OpenDraft() {
  return useLocation().pathname === "/upload" ? null : (
    <ChipLink to="/upload">{words.open}</ChipLink>
  );
}
