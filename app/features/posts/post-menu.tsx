import { useState } from "react";
import { Link, useLocation } from "react-router";
import type { PostView } from "#shared/views.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/posts.json";
import { reportedPost, reportQuery } from "#app/features/reports/report-path.ts";
import { DeletePost } from "#app/features/posts/delete-post.tsx";
import type { Act } from "#app/features/posts/post-act.tsx";
import { instead } from "#app/lib/instead.ts";
import { useNarrowOffered } from "#app/lib/page/root-data.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notifyAndClose, lazyComponent } from "#app/ui/lazy-component.tsx";
import { Menu, menuEntry } from "#app/ui/menu.tsx";

const PostAct = lazyComponent(
  async () => (await import("#app/features/posts/post-act.tsx")).PostAct,
  notifyAndClose,
);

type Props = {
  post: PostView;
  viewerId: string | null;
  /** the post's own page: it is left when the post is deleted, or its author blocked */
  ownPage?: boolean;
};

const hiding: [label: string, act: Act][] = [
  [words.mute, "mute"],
  [words.block, "block"],
  [common.report, "report"],
];

/**
 * Further actions on a post. Without scripts entries lead to pages. A list has many menus that nobody opens:
 * their entries are rendered as they open, and until then lead to the post's page, which has them.
 */
export function PostMenu({ post, viewerId, ownPage = false }: Props) {
  const [opened, setOpened] = useState(ownPage);
  const [act, setAct] = useState<Act | null>(null);
  const path = pathOfPost(post);

  return (
    <>
      {post.mine && ownPage && <DeletePost path={path} onPress={() => setAct("delete")} />}
      <Menu
        label={fill(words.optionsFor, { name: post.author.name })}
        title={words.options}
        className="-me-2.5 no-print"
        onOpen={() => setOpened(true)}
      >
        {opened ? (
          <Entries {...{ post, path, viewerId }} onAct={setAct} />
        ) : (
          <Link to={path} className={menuEntry}>
            {words.openPost}
          </Link>
        )}
      </Menu>
      {act && <PostAct {...{ act, post, ownPage }} onClose={() => setAct(null)} />}
    </>
  );
}

type EntriesProps = Pick<Props, "post" | "viewerId"> & { path: string; onAct: (act: Act) => void };

/** What leads to a page of its own, and what is done here. */
function Entries({ post, path, viewerId, onAct }: EntriesProps) {
  const { pathname, search } = useLocation();
  const narrowOffered = useNarrowOffered();
  const { author, mine, pictures } = post;
  const signedIn = viewerId !== null;
  const links: [label: string, page: string, offered: boolean][] = [
    [common.edit, "edit", mine],
    [words.shareWithGuest, "link", mine],
    [words.addToCollection, "collections", signedIn],
    [words.putIntoAlbum, "album", mine && pictures.length > 0 && post.audience !== "album"],
    [words.suggestDescription, "describe", signedIn && !mine && pictures.some(({ alt }) => !alt)],
  ];
  const acts: [label: string, href: string, act: Act][] = [[common.copyLink, path, "copy"]];
  if (mine) {
    // What is narrow already can be for everyone again.
    if (narrowOffered || post.audience !== "everyone")
      acts.unshift([words.whoCanSee, `${path}/audience`, "audience"]);
    acts.push([common.delete, `${path}/delete`, "delete"]);
  } else if (signedIn) {
    const hide = `/block/${author.id}${reportQuery(reportedPost(post), pathname + search)}&intent=`;
    for (const [label, act] of hiding) acts.push([label, hide + act, act]);
  }

  return (
    <>
      {links.map(
        ([label, page, offered]) =>
          offered && (
            <Link key={page} to={`${path}/${page}`} className={menuEntry}>
              {label}
            </Link>
          ),
      )}
      {acts.map(([label, href, act]) => (
        <a
          key={act}
          href={href}
          className={`${menuEntry} ${act === "delete" ? "text-danger" : ""}`}
          onClick={instead(() => onAct(act))}
        >
          {label}
        </a>
      ))}
    </>
  );
}
