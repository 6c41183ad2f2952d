import { useSyncExternalStore, type ComponentType, type ReactNode } from "react";
import type { PostTile, PostView } from "#shared/views.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/posts.json";
import { groundRatio, PhotoFrame } from "#app/features/posts/photo-frame.tsx";
import { useRootData } from "#app/lib/page/root-data.ts";
import { tabStorage } from "#app/lib/storage.ts";
import { createStore } from "#app/lib/store.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { pathOfPost, postPath } from "#app/lib/text/links.ts";
import { Link } from "#app/ui/link.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { Tint } from "#app/ui/photo.tsx";

/** Query parameter of a page: what has a content warning is shown. */
export const shownParameter = "show";

const unveiledKey = "unveiled";

/** The ids of posts that somebody asked to see during this visit, one after the other. Browser only. */
const unveiled = createStore<string | null>(null);
const readUnveiled = () => unveiled.now() ?? tabStorage.read(unveiledKey) ?? "";
const noneYet = () => "";

/** Whether a post with a warning is to be hidden, and what hides and shows it. */
function useVeil(id: string, asked = false) {
  const always = useRootData()?.showVeiled ?? false;
  const all = useSyncExternalStore(unveiled.subscribe, readUnveiled, noneYet);
  const veiled = !always && !asked && !all.includes(id);
  function toggle(): void {
    unveiled.set(veiled ? all + id : all.replace(id, ""));
    tabStorage.write(unveiledKey, unveiled.now());
  }
  return { always, veiled, toggle };
}

/** What stands in place of what is veiled. */
export const veilText = (warning: string | null) => warning ?? words.sensitive;

export type Veiling = {
  post: PostView;
  /**
   * the warning itself with its button, the photos, or the words, which stay where only the photos are veiled; in a
   * list the photos below the warning, and of words alone those below it
   */
  part: "warning" | "photos" | "words" | "card" | "text";
  /** the page was opened to see it, without scripts */
  asked?: boolean | undefined;
  /** the page's own address, if it is not the post's */
  at?: string;
  children?: ReactNode;
};

/** A part of a post that its author veiled. Nothing of the photos is requested until somebody asks to see them. */
export function Veiled({ post, part, asked, at = pathOfPost(post), children }: Veiling) {
  const veil = useVeil(post.id, asked);
  const { warning, pictures } = post;
  const [photo] = pictures;
  const written = part === "words" || part === "text";
  const hidden = veil.veiled && (written ? warning !== null : photo);
  return (
    <>
      {part !== "words" && part !== "photos" && (warning !== null || photo) && (
        <Warning
          {...{ warning, at, asked, veil }}
          className={written ? "pb-4" : "border-b border-line px-4 py-2"}
        />
      )}
      {!hidden ? (
        children
      ) : !written && photo && part !== "warning" ? (
        <PhotoFrame ratio={groundRatio(photo)} width={photo.width}>
          <Tint of={photo} />
        </PhotoFrame>
      ) : null}
    </>
  );
}

type WarningProps = Pick<Veiling, "asked"> & {
  warning: string | null;
  at: string;
  veil: ReturnType<typeof useVeil>;
  className: string;
};

/** What the author says, and the button that shows the rest and hides it again. */
function Warning({ warning, at, asked, veil, className }: WarningProps) {
  const [does, label, href] = veil.veiled
    ? [common.show, words.showPost, `${at}?${shownParameter}`]
    : [common.hide, words.hidePost, at];
  return (
    <div className={`flex items-center gap-3 ${className}`}>
      <p dir="auto" className="at-page-start min-w-0 flex-1 wrap-anywhere">
        {veilText(warning)}
      </p>
      {!veil.always && (
        <LinkButton
          href={href}
          onPress={asked ? () => window.location.assign(href) : veil.toggle}
          aria-label={label}
          title={does}
          className="btn shrink-0 border-line btn-outline no-print"
        >
          {does}
        </LinkButton>
      )}
    </div>
  );
}

type TileProps = {
  tile: PostTile;
  /** it as it is, and for whom it is */
  shown: ComponentType<{ tile: PostTile }>;
  badge: ComponentType<{ tile: PostTile; className: string }>;
};

/** The same in a grid. */
export function VeiledTile({ tile, shown: Shown, badge: Badge }: TileProps) {
  const { id, picture, warning } = tile;
  const { veiled } = useVeil(id);
  if (!veiled || (warning === null && !picture)) return <Shown tile={tile} />;
  return (
    <Link
      to={postPath(tile)}
      className={`relative grid aspect-square place-items-center overflow-hidden p-2 ${picture ? "text-white" : "border border-line bg-base-200"}`}
    >
      {picture && <Tint of={picture} />}
      {picture && <span className="absolute inset-0 bg-black/60" />}
      <span
        dir="auto"
        className="relative line-clamp-3 w-full text-center text-sm text-pretty wrap-anywhere"
      >
        {firstGraphemes(veilText(warning), 160)}
      </span>
      <Badge tile={tile} className="bg-base-100 text-muted" />
    </Link>
  );
}
