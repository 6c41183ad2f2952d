import { useState, useSyncExternalStore } from "react";
import type { PostView } from "#shared/views.ts";
import { unveiledKey } from "#app/lib/browser-data.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { tabStorage } from "#app/lib/storage.ts";
import { createStore } from "#app/lib/store.ts";
import { pathOfPost, shownParameter } from "#app/lib/text/links.ts";
import { LinkButton } from "#app/ui/link-button.tsx";

/** The ids of posts that somebody asked to see during this visit, one after the other. Browser only. */
const unveiled = createStore<string | null>(null);
const readUnveiled = () => unveiled.now() ?? tabStorage.read(unveiledKey) ?? "";
const noneYet = () => "";

/**
 * Whether what a post's author veiled is to be hidden, and what hides and shows it. `asked` says that its page was
 * opened to see it, without scripts. No toggle: its reader always sees such posts.
 */
export function useVeil({ id, sensitive }: Pick<PostView, "id" | "sensitive">, asked = false) {
  const always = useRootData()?.showVeiled;
  const all = useSyncExternalStore(unveiled.subscribe, readUnveiled, noneYet);
  const [open, setOpen] = useState(asked);
  const veiled = sensitive && !always && !open && !all.includes(id);
  function toggle(): void {
    setOpen(false);
    unveiled.set(veiled ? all + id : all.replace(id, ""));
    tabStorage.write(unveiledKey, unveiled.now());
  }
  return { veiled, toggle: always ? null : toggle };
}

export const veilText = (warning: string | null) => warning ?? "Sensitive content";

export type Veiling = ReturnType<typeof useVeil>;
type Props = Veiling & {
  post: PostView;
  /** where the button leads without scripts, if not to the post */
  at?: string;
};

/** Above what is veiled: the warning, and the button that shows it and hides it again. */
export function Veil({ post, veiled, toggle, at = pathOfPost(post) }: Props) {
  if (post.warning === null && !(post.sensitive && post.pictures.length > 0)) return null;
  const [does, href] = veiled ? ["Show", `${at}?${shownParameter}`] : ["Hide", at];
  return (
    <div className="flex items-center gap-3 border-b border-line px-4 py-2">
      <p dir="auto" className="min-w-0 flex-1 wrap-anywhere">
        {veilText(post.warning)}
      </p>
      {toggle && (
        <LinkButton
          href={href}
          onPress={toggle}
          aria-label={`${does} this post`}
          title={does}
          className="btn shrink-0 border-line btn-outline no-print"
        >
          {does}
        </LinkButton>
      )}
    </div>
  );
}
