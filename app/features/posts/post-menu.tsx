import { useId, useState, type MouseEvent, type ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import type { PostView } from "#shared/views.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { returnParameter } from "#app/lib/return-path.ts";
import { DotsThreeIcon } from "#app/ui/icons.ts";
import { closeAway, lazyPiece, tellAway } from "#app/ui/lazy-piece.tsx";

const HideDialog = lazyPiece(
  async () => (await import("#app/features/blocks/hide-dialog.tsx")).HideDialog,
  closeAway,
);

type Props = {
  post: PostView;
  viewerId: string | null;
  /** the post's own page: it is left when the post is deleted, or its author blocked */
  ownPage?: boolean;
};

const acts = () => import("#app/features/posts/post-acts.ts");
const row = "flex min-h-11 w-full items-center px-4 hover:bg-base-200";

/**
 * What else can be done with a post. The browser's own popover: it opens without scripts, closes on
 * Escape and outside presses, and gives the focus back. Each entry leads to a page that asks.
 */
export function PostMenu({ post, viewerId, ownPage = false }: Props) {
  const id = useId();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [hiding, setHiding] = useState<"mute" | "block" | null>(null);
  const path = pathOfPost(post);
  const { author } = post;

  async function remove(): Promise<void> {
    const { deletePost } = await acts();
    await deletePost(post, ownPage ? () => navigate("/profile", { replace: true }) : null);
  }

  function entry(label: string, href: string, onPress: () => unknown): ReactNode {
    const press = (event: MouseEvent): void => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      void onPress();
    };
    return (
      <a href={href} className={row} onClick={press}>
        {label}
      </a>
    );
  }
  const hide = (intent: "mute" | "block") =>
    `/block/${author.id}?${new URLSearchParams({ [returnParameter]: pathname + search, intent })}`;

  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={`Options for this post by ${author.name}`}
        title="Options"
        className="-me-2.5 grid size-11 shrink-0 place-items-center rounded-full text-muted no-print hover:bg-base-content/8 hover:text-base-content"
      >
        <DotsThreeIcon className="size-6" aria-hidden />
      </button>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        id={id}
        popover="auto"
        onClick={(event) => event.currentTarget.hidePopover()}
        className="w-52 rounded-box border border-line bg-base-100 py-1 text-base-content shadow-lg supports-[position-area:end]:inset-auto supports-[position-area:end]:m-0 supports-[position-area:end]:[position-area:block-end_span-inline-start] supports-[position-area:end]:[position-try-fallbacks:flip-block]"
      >
        {post.mine && (
          <Link to={`${path}/edit`} className={row}>
            Edit
          </Link>
        )}
        {entry("Copy link", path, () => acts().then(({ copyLink }) => copyLink(path), tellAway))}
        {post.mine && entry("Delete", `${path}/delete`, () => remove().catch(tellAway))}
        {viewerId !== null && !post.mine && (
          <>
            {entry("Mute", hide("mute"), () => setHiding("mute"))}
            {entry("Block", hide("block"), () => setHiding("block"))}
          </>
        )}
      </div>
      {hiding && (
        <HideDialog
          account={author}
          wanted={hiding}
          theirPage={ownPage}
          onClose={() => setHiding(null)}
        />
      )}
    </>
  );
}
