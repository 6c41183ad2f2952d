import type { ReactNode } from "react";
import type { ProfileView } from "#shared/views.ts";
import * as words from "#messages/profile.json";
import { ProfileHeader } from "#app/features/profiles/profile-header.tsx";
import { ProfilePosts, type ProfilePostsData } from "#app/features/profiles/profile-posts.tsx";
import { compactCount } from "#app/lib/text/counts.ts";
import { counted } from "#app/lib/text/messages.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FolderIcon, ImagesIcon, TextAlignLeftIcon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";
import { Tabs } from "#app/ui/tabs.tsx";

type Props = {
  profile: ProfileView;
  posts: ProfilePostsData;
  viewerId: string | null;
  /** not in the middle of the posts */
  newest: boolean;
  ownActions?: ReactNode;
  note?: ReactNode;
};

/** One's own profile and everybody else's. */
export function ProfilePage({ profile, posts, viewerId, newest, ownActions, note }: Props) {
  const { account } = profile;
  return (
    <div data-desk="" className="lg:mx-auto lg:max-w-[983px] lg:p-6">
      <ProfileHeader
        key={account.id}
        profile={profile}
        signedIn={viewerId !== null}
        ownActions={ownActions}
        note={note}
      />
      {profile.listsOpen ? (
        <Posts {...{ profile, posts, viewerId, newest }} />
      ) : (
        <EmptyState drawing="sealed" title={words.isPrivate}>
          <p>{profile.requested ? words.asked : words.followToAsk}</p>
        </EmptyState>
      )}
    </div>
  );
}

/** Its two tabs of posts, and its albums. */
function Posts({ profile, posts, viewerId, newest }: Omit<Props, "ownActions" | "note">) {
  const { account, counts, isViewer } = profile;
  const path = isViewer ? "/profile" : `/search/${account.id}`;
  const photos = posts.kind === "photos";
  const here = photos ? path : `${path}?tab=${posts.kind}`;
  return (
    <>
      <Tabs
        label={words.posts}
        tabs={[
          {
            to: path,
            label: words.photos,
            count: compactCount(counts.photos),
            icon: ImagesIcon,
            current: photos,
          },
          {
            to: `${path}?tab=texts`,
            label: words.texts,
            count: compactCount(counts.posts - counts.photos),
            icon: TextAlignLeftIcon,
            current: posts.kind === "texts",
          },
          ...(isViewer || profile.hasAlbums
            ? [
                {
                  to: `${path}?tab=albums`,
                  label: words.albums,
                  icon: FolderIcon,
                  current: posts.kind === "albums",
                },
              ]
            : []),
        ]}
      />
      {!newest && (
        <p className="p-4 text-center">
          <Link to={here} className="link">
            {posts.kind === "albums" ? words.newestAlbums : words.newestPosts}
          </Link>
        </p>
      )}
      {posts.page.items.length > 0 || posts.kind === "albums" ? (
        <ProfilePosts
          key={`${account.id} ${posts.kind}`}
          posts={posts}
          own={isViewer}
          username={account.username}
          viewerId={viewerId}
        />
      ) : (
        <NoPosts photos={photos} own={isViewer} path={path} posts={counts.posts} />
      )}
    </>
  );
}

type NoPostsProps = { photos: boolean; own: boolean; path: string; posts: number };

function NoPosts({ photos, own, path, posts }: NoPostsProps) {
  const title = photos ? words.noPhotos : words.noTexts;
  if (posts > 0) {
    return (
      <EmptyState
        drawing="card"
        title={title}
        action={
          <ButtonLink to={photos ? `${path}?tab=texts` : path}>
            {counted(words.showPosts, posts)}
          </ButtonLink>
        }
      >
        <p>{photos ? words.allInWriting : words.allInPictures}</p>
      </EmptyState>
    );
  }
  return own ? (
    <EmptyState
      drawing="card"
      title={title}
      action={
        <ButtonLink to="/upload" look="primary">
          {words.writeFirst}
        </ButtonLink>
      }
    />
  ) : (
    <EmptyState drawing="card" title={title} />
  );
}
