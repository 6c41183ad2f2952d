import type { ReactNode } from "react";
import * as words from "#messages/notifications.json";
import messages from "#messages/pushes.json";
import { listComma, listLast } from "#messages/text.json";
import {
  describe,
  isNotice,
  notificationPath,
  othersOf,
  sentenceOf,
  type NotificationView,
  type Saying,
} from "#shared/notifications.ts";
import { FollowButton } from "#app/features/follows/follow-button.tsx";
import { RequestButtons } from "#app/features/follows/request-buttons.tsx";
import { counted, fill, formOf, listed, rich } from "#app/lib/text/messages.tsx";
import { Link } from "#app/ui/link.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import {
  AtIcon,
  CheckCircleIcon,
  ChatCircleIcon,
  EnvelopeSimpleIcon,
  HeartIcon,
  FlagIcon,
  ImageIcon,
  ImagesIcon,
  ShieldCheckIcon,
  UserPlusIcon,
  WarningCircleIcon,
  type Icon,
} from "#app/ui/icons.ts";
import { Photo } from "#app/ui/photo.tsx";

const icons: Record<NotificationView["kind"], Icon> = {
  follow: UserPlusIcon,
  request: UserPlusIcon,
  accepted: CheckCircleIcon,
  like: HeartIcon,
  comment: ChatCircleIcon,
  mention: AtIcon,
  message: EnvelopeSimpleIcon,
  alt: ImageIcon,
  album: ImagesIcon,
  invited: ImagesIcon,
  verdict: ShieldCheckIcon,
  report: FlagIcon,
  trouble: WarningCircleIcon,
  recovery: CheckCircleIcon,
};

const saying: Saying = { messages, formOf, counted, listed };

/** Who did what, when, and the photo it was about; the whole row is a link. */
export function NotificationRow({ view }: { view: NotificationView }) {
  const { people, others, unread, at, text, post, kind, following, requested } = view;
  const [first, second] = people;
  if (!first) return null;
  const KindIcon = icons[kind];
  const notice = isNotice(view);
  const said = describe(view, saying);
  return (
    <li
      className={`relative flex flex-wrap gap-3 border-b border-line px-4 py-3 hover:bg-base-200 ${unread ? "bg-primary/8" : ""}`}
    >
      <div className="relative size-14 shrink-0">
        {notice ? (
          <KindIcon className="size-11 text-muted" aria-hidden />
        ) : (
          <Avatar name={first.name} image={first.avatar} size={second ? "md" : "lg"} />
        )}
        {second && (
          <span className="absolute end-0 bottom-0 rounded-full ring-2 ring-base-100">
            <Avatar name={second.name} image={second.avatar} size="sm" />
          </span>
        )}
        {!notice && (
          <span
            aria-hidden="true"
            className={`absolute -bottom-0.5 grid size-6 place-items-center rounded-full ring-2 ring-base-100 ${
              second ? "start-0" : "-end-0.5"
            } ${kind === "like" ? "bg-error text-error-content" : "bg-primary text-primary-content"}`}
          >
            <KindIcon weight="fill" className="size-3.5" />
          </span>
        )}
      </div>
      <div className="min-w-0 flex-1">
        <Link
          to={notificationPath(view)}
          className="wrap-anywhere before:absolute before:inset-0"
          aria-label={unread ? fill(words.newThing, { what: said }) : said}
        >
          <Sentence view={view} />
        </Link>
        {text && (
          <p
            dir="auto"
            // What to do follows what is wrong.
            className={`text-muted wrap-anywhere ${kind === "trouble" ? "" : "line-clamp-2"}`}
          >
            {text}
          </p>
        )}
        <p className="text-sm text-muted">
          <PostTime at={at} />
          {unread && <span className="sr-only"> {words.new}</span>}
        </p>
      </div>
      {following === null ? null : (
        <div className="relative self-center">
          <FollowButton
            account={{ ...first, following, requested: requested ?? false }}
            signedIn
            label={words.followBack}
          />
        </div>
      )}
      {kind === "request" && !second && others === 0 && (
        <div className="relative self-center max-sm:basis-full max-sm:ps-17">
          <RequestButtons account={first} />
        </div>
      )}
      {post?.picture && (
        <Photo
          photo={post.picture}
          alt=""
          sizes="48px"
          className="size-12 shrink-0 overflow-hidden rounded-field"
        />
      )}
    </li>
  );
}

/** The whole sentence, with the names of people apart. */
function Sentence({ view }: { view: NotificationView }) {
  const { message, values } = sentenceOf(view, saying);
  const names: ReactNode[] = view.people.map(({ id, name }) => (
    // A long name is truncated, so that the action is always readable.
    <bdi
      key={id}
      className="inline-block max-w-[min(13rem,100%)] truncate align-bottom font-semibold md:max-w-96"
    >
      {name}
    </bdi>
  ));
  const rest = othersOf(view, saying);
  return rich(message, {
    ...values,
    album: <bdi>{values.album}</bdi>,
    names: inList(rest === null ? names : [...names, rest]),
  });
}

/** As `listed`, of elements. */
const inList = (parts: ReactNode[]): ReactNode =>
  parts.reduce((first, next, index) =>
    index === parts.length - 1
      ? rich(listLast, { first, last: next })
      : rich(listComma, { first, next }),
  );
