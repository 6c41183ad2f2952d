import { useEffect, useState } from "react";
import type { PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import type { DeletePost } from "#app/features/posts/delete-post.tsx";
import type { Act } from "#app/features/posts/post-act.tsx";
import type { PostMenuEntries } from "#app/features/posts/post-menu-entries.tsx";
import { onFirstInteraction } from "#app/lib/page/first-interaction.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notifyAndClose, lazyComponent } from "#app/ui/lazy-component.tsx";
import { Link } from "#app/ui/link.tsx";
import { Menu, menuEntry } from "#app/ui/menu.tsx";

const PostAct = lazyComponent(
  async () => (await import("#app/features/posts/post-act.tsx")).PostAct,
  notifyAndClose,
);

const loadEntries = async () =>
  (await import("#app/features/posts/post-menu-entries.tsx")).PostMenuEntries;

type Props = {
  post: PostView;
  viewerId: string | null;
  /**
   * On the post's own page, which is left when the post is deleted, or its author blocked: what the document has
   * already.
   */
  ownPage?: { Entries: typeof PostMenuEntries; Delete: typeof DeletePost };
};

/**
 * Further actions on a post. Without scripts entries lead to pages. A list has many menus that nobody opens: their
 * entries load with the first interaction and are rendered as a menu opens; until then it leads to the post's page,
 * which has them.
 */
export function PostMenu({ post, viewerId, ownPage }: Props) {
  const [Entries, setEntries] = useState(() => ownPage?.Entries);
  const [act, setAct] = useState<Act | null>(null);
  const path = pathOfPost(post);
  useEffect(() => onFirstInteraction(() => void loadEntries().catch(() => undefined)), []);

  function open(): void {
    loadEntries().then(
      (loaded) => setEntries(() => loaded),
      // Without a connection the post's page is what there is.
      () => undefined,
    );
  }

  return (
    <>
      {post.mine && ownPage && <ownPage.Delete path={path} onPress={() => setAct("delete")} />}
      <Menu
        label={fill(words.optionsFor, { name: post.author.name })}
        title={words.options}
        className="-me-2.5 no-print"
        onOpen={Entries ? undefined : open}
      >
        {Entries ? (
          <Entries {...{ post, path, viewerId }} ownPage={!!ownPage} onAct={setAct} />
        ) : (
          <Link to={path} className={menuEntry}>
            {words.openPost}
          </Link>
        )}
      </Menu>
      {act && <PostAct {...{ act, post }} ownPage={!!ownPage} onClose={() => setAct(null)} />}
    </>
  );
}
