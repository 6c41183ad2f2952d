import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ProfileView } from "#shared/views.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { FollowButton } from "#app/features/follow-button/follow-button.tsx";
import { shortCount } from "#app/lib/counts.ts";

type Props = {
  profile: ProfileView;
  signedIn: boolean;
  /** what the owner can do here */
  ownActions?: ReactNode;
};

/** The top of a profile: who, how many, BIO. */
export function ProfileHeader({ profile, signedIn, ownActions }: Props) {
  const { account, bio, website, isViewer, following, followsViewer } = profile;
  const [read, setRead] = useState(profile.counts);
  const [counts, setCounts] = useState(profile.counts);
  if (read !== profile.counts) {
    setRead(profile.counts);
    setCounts(profile.counts);
  }

  return (
    <header className="px-4 pt-6 pb-4">
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-3 sm:gap-x-10">
        <div className="row-span-1 sm:row-span-2">
          <Avatar name={account.name} picture={account.avatar} size="xl" priority />
        </div>
        <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
          <div className="min-w-0">
            <h1 dir="auto" className="line-clamp-3 text-xl font-semibold wrap-anywhere sm:text-2xl">
              {account.name}
            </h1>
            <p className="text-sm text-muted">
              @{account.username}
              {followsViewer && " · follows you"}
            </p>
          </div>
        </div>
        <div className="col-span-2 flex flex-wrap gap-2 sm:col-span-1 sm:col-start-2">
          {isViewer ? (
            ownActions
          ) : (
            <FollowButton
              account={account}
              following={following}
              signedIn={signedIn}
              onAnswer={(answer) => setCounts(answer.counts)}
            />
          )}
        </div>
      </div>
      <dl className="mt-5 flex border-y border-line text-center sm:gap-10 sm:border-0 sm:text-start">
        <Count label="posts" count={counts.posts} />
        <Count label="followers" count={counts.followers} to={`/profile/followers/${account.id}`} />
        <Count label="following" count={counts.following} to={`/profile/following/${account.id}`} />
      </dl>
      {(bio || website || isViewer) && (
        <section className="mt-4">
          <h2 className="text-xs font-semibold tracking-wider text-muted">BIO</h2>
          <p dir="auto" className="mt-1 whitespace-pre-wrap wrap-anywhere">
            {bio || <span className="text-muted">Nothing written yet.</span>}
          </p>
          {website && (
            <a href={website} rel="nofollow noopener noreferrer ugc" className="link wrap-anywhere">
              {website.replace(/^https?:\/\//, "")}
            </a>
          )}
        </section>
      )}
    </header>
  );
}

function Count({ label, count, to }: { label: string; count: number; to?: string }) {
  const text = (
    <>
      <dd className="text-lg font-semibold tabular-nums">{shortCount(count)}</dd>
      <dt className="text-sm text-muted">{label}</dt>
    </>
  );
  const shape =
    "flex min-h-14 flex-col-reverse items-center justify-center sm:flex-row-reverse sm:gap-1.5";
  return (
    <div className="flex-1 sm:flex-none">
      {to ? (
        <Link to={to} className={`${shape} hover:underline`}>
          {text}
        </Link>
      ) : (
        <div className={shape}>{text}</div>
      )}
    </div>
  );
}
