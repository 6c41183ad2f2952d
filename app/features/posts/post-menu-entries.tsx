import { useLocation } from "react-router";
import type { PostView } from "#shared/views.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/posts.json";
import type { Act } from "#app/features/posts/post-act.tsx";
import { reportedPost, reportQuery } from "#app/features/reports/report-path.ts";
import { instead } from "#app/lib/instead.ts";
import { useNarrowOffered } from "#app/lib/page/root-data.ts";
import { Link } from "#app/ui/link.tsx";
import { menuEntry } from "#app/ui/menu.tsx";

type Props = {
  post: PostView;
  path: string;
  viewerId: string | null;
  /** the post's own page has a button for deleting it */
  ownPage: boolean;
  onAct: (act: Act) => void;
};

const hiding: [label: string, act: Act][] = [
  [words.mute, "mute"],
  [words.block, "block"],
  [common.report, "report"],
];

/** What leads to a page of its own, and what is done here. */
export function PostMenuEntries({ post, path, viewerId, ownPage, onAct }: Props) {
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
    if (!ownPage) acts.push([common.delete, `${path}/delete`, "delete"]);
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
