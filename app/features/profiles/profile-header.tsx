import type { ReactNode } from "react";
import { useRevalidator } from "react-router";
import { shownWebsite } from "#shared/shown-website.ts";
import type { ProfileView } from "#shared/views.ts";
import { followsYou } from "#messages/people.json";
import * as words from "#messages/profile.json";
import { HideButton } from "#app/features/blocks/hide-button.tsx";
import { MessageButton } from "#app/features/chat/message-button.tsx";
import { ShareButton } from "#app/features/posts/share-button.tsx";
import { ExtraFields, Verified } from "#app/features/profiles/extra-fields.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { FollowButton } from "#app/features/follows/follow-button.tsx";
import { LinkedText } from "#app/features/posts/linked-text.tsx";
import { compactCount } from "#app/lib/text/counts.ts";
import { formOf } from "#app/lib/text/messages.tsx";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EnvelopeSimpleIcon, LinkSimpleIcon, LockKeyIcon, type Icon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";

type Props = {
  profile: ProfileView;
  signedIn: boolean;
  /** the owner's actions here */
  ownActions?: ReactNode;
  /** the reader's note, where somebody is signed in */
  note?: ReactNode;
};

/** The top of a profile: name, counts, BIO. */
export function ProfileHeader({ profile, signedIn, ownActions, note }: Props) {
  const { account, isViewer, following, followsViewer, muted, isPrivate, listsOpen } = profile;
  const { revalidate } = useRevalidator();
  const [counts, setCounts] = useResettableState(profile.counts);
  const [follows, setFollows] = useResettableState(following);

  return (
    <header className="px-4 pt-6 pb-4">
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-4 sm:gap-x-8">
        <div className="sm:row-span-3 sm:self-start">
          <Avatar name={account.name} image={account.avatar} size="xl" priority />
        </div>
        <div className="min-w-0 lg:pe-24">
          <h1 className="line-clamp-3 text-xl font-semibold wrap-anywhere sm:text-2xl">
            <bdi>{account.name}</bdi>
            {isPrivate && <PrivateMark />}
          </h1>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
            <bdi className="min-w-0 wrap-anywhere">@{account.username}</bdi>
            {followsViewer && <Remark>{followsYou}</Remark>}
            {muted && <Remark>{words.mutedByYou}</Remark>}
          </p>
        </div>
        <div className="col-span-2 flex flex-wrap items-center gap-2 max-sm:[&_.btn:not(dialog_*)]:w-full max-sm:[&_.btn:not(dialog_*)]:min-w-fit max-sm:[&_.btn:not(dialog_*)]:px-2 max-sm:[&>.btn,&>form:has(.btn)]:flex-[1_0_5rem] sm:col-span-1">
          {isViewer ? (
            <>
              <ButtonLink to="/profile/edit">{words.editProfile}</ButtonLink>
              <ButtonLink to="/profile/link">{words.shareWithGuest}</ButtonLink>
            </>
          ) : (
            <FollowButton
              account={{ ...account, following, requested: profile.requested }}
              isPrivate={isPrivate}
              signedIn={signedIn}
              onAnswer={(answer) => {
                setCounts(answer.counts);
                setFollows(answer.following);
                // Whether one follows a private account decides what is on its page.
                if (isPrivate) void revalidate();
              }}
            />
          )}
          {signedIn && !isViewer && (
            <MessageButton account={account} following={follows} followsViewer={followsViewer} />
          )}
          {/* The last one's button has it beside it: alone it would have a row of its own. */}
          <div className="flex gap-2 max-sm:has-[.btn]:flex-[1_0_5rem] [&>form]:grow">
            {isViewer && ownActions}
            <ShareButton path={`/search/${account.id}`} title={account.name} />
          </div>
          {signedIn && !isViewer && (
            <HideButton account={account} muted={muted} follower={followsViewer} theirPage />
          )}
        </div>
        <ul className="col-span-2 flex border-y border-line text-center sm:col-span-1 sm:gap-8 sm:border-0">
          {listsOpen && <Count label={words.postCount} count={counts.posts} />}
          <Count
            label={words.followerCount}
            count={counts.followers}
            to={listsOpen ? `/profile/followers/${account.id}` : undefined}
          />
          <Count
            label={words.followingCount}
            count={counts.following}
            to={listsOpen ? `/profile/following/${account.id}` : undefined}
          />
        </ul>
      </div>
      <Bio profile={profile} />
      {note}
    </header>
  );
}

function Bio({ profile }: Pick<Props, "profile">) {
  const { bio, website, websiteVerifiedAt, extraFields, email, isViewer } = profile;
  if (!bio && !website && extraFields.length === 0 && !email && !isViewer) return null;
  return (
    <section className="mt-4">
      <h2 className="text-xs font-semibold tracking-wider text-muted">{words.bioHeading}</h2>
      {(bio || isViewer) && (
        <p dir="auto" className="mt-1 whitespace-pre-wrap wrap-anywhere">
          {bio ? (
            <LinkedText text={bio} mentions={profile.mentions} />
          ) : (
            <span className="text-muted">{words.noBio}</span>
          )}
        </p>
      )}
      {extraFields.length > 0 && <ExtraFields fields={extraFields} />}
      <div className="flex flex-col items-start">
        {website && (
          <ContactLink
            href={website}
            icon={LinkSimpleIcon}
            text={shownWebsite(website)}
            verified={websiteVerifiedAt !== null}
          />
        )}
        {email && (
          <ContactLink href={`mailto:${encodeURI(email)}`} icon={EnvelopeSimpleIcon} text={email} />
        )}
      </div>
    </section>
  );
}

/** Beside the name of a private account. */
const PrivateMark = () => (
  <span title={words.privateAccount} className="ms-2 inline-block align-[-0.1em] text-muted">
    <LockKeyIcon weight="fill" className="size-[0.9em]" aria-hidden />
    <span className="sr-only">{words.privateAccount}</span>
  </span>
);

/** The relationship of the two, in a word. */
function Remark({ children }: { children: string }) {
  return <span className="rounded-selector border border-line px-2 leading-5">{children}</span>;
}

type ContactLinkProps = { href: string; icon: Icon; text: string; verified?: boolean };

function ContactLink({ href, icon: LinkIcon, text, verified = false }: ContactLinkProps) {
  return (
    <a
      href={href}
      rel="me nofollow noopener noreferrer ugc"
      className="link inline-flex min-h-11 items-center gap-2 link-hover"
    >
      <LinkIcon className="size-4 shrink-0 text-muted" aria-hidden />
      <bdi dir="ltr" className="line-clamp-2 wrap-anywhere">
        {text}
      </bdi>
      {verified && <Verified />}
    </a>
  );
}

type CountProps = {
  /** by number */
  label: Record<string, string>;
  count: number;
  to?: string | undefined;
};

function Count({ label, count, to }: CountProps) {
  const text = (
    <>
      <span className="text-lg font-semibold sm:text-base">{compactCount(count)}</span>{" "}
      <span className="text-sm text-muted">{formOf(label, count)}</span>
    </>
  );
  const shape =
    "flex min-h-14 flex-col items-center justify-center sm:min-h-11 sm:flex-row sm:gap-1.5";
  return (
    <li className="flex-1 sm:flex-none">
      {to ? (
        <Link to={to} className={`${shape} hover:underline`}>
          {text}
        </Link>
      ) : (
        <span className={shape}>{text}</span>
      )}
    </li>
  );
}
