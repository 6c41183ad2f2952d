import { FollowButton } from "#app/features/follows/follow-button.tsx";
import { FollowedBy } from "#app/features/follows/followed-by.tsx";
import { DismissButton, type CardProps } from "#app/features/suggestions/suggested-accounts.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Link } from "#app/ui/link.tsx";
import { focusClass, Photo } from "#app/ui/photo.tsx";

/** `small`: in the rail, a shorter card. */
type Props = CardProps & { small?: boolean };

/** An account to follow: name, posts, and why it is suggested. */
export function SuggestionCard({ account, small = false, onDismiss, onFollow }: Props) {
  const { name, username, avatar, photos } = account;
  const at = small ? layouts.small : layouts.large;
  const words = <Words account={account} small={small} />;
  return (
    <li className={`group relative grid items-center gap-x-3 ${at.card}`}>
      <Link
        to={`/search/${account.id}`}
        // The whole card is a link; its buttons lie above it.
        className="flex min-w-0 items-center gap-3 after:absolute after:inset-0"
      >
        <Avatar name={name} image={avatar} size={small ? "md" : "lg"} />
        <span className="min-w-0">
          <span className="block truncate font-semibold group-hover:underline">{name}</span>
          <span dir="ltr" className="block truncate text-sm text-muted">
            @{username}
          </span>
        </span>
      </Link>
      <div className={`relative ${at.follow}`}>
        <FollowButton
          account={account}
          signedIn
          quiet
          className={at.button}
          onAnswer={({ following, requested }) => onFollow?.(following || requested)}
        />
      </div>
      {small && words}
      <DismissButton account={account} className={`relative ${at.dismiss}`} onDismiss={onDismiss} />
      {!small && words}
      {photos.length > 0 && (
        <span className="col-span-full grid grid-cols-3 gap-1">
          {photos.map((photo) => (
            <Photo
              key={photo.key}
              photo={photo}
              // The card names their author, and its link leads there.
              alt=""
              sizes={small ? "84px" : "(min-width: 48rem) 180px, 33vw"}
              className={`rounded-field ${small ? "aspect-4/3" : "aspect-square"} ${focusClass(photo)}`}
            />
          ))}
        </span>
      )}
    </li>
  );
}

/** In the rail the name needs the space of the ×; on phones Follow is as wide as the card. */
const layouts = {
  small: {
    card: "grid-cols-[minmax(0,1fr)_auto] gap-y-1 py-3",
    follow: "",
    button: "btn-sm px-2",
    dismiss: "ms-auto size-7",
  },
  large: {
    card: "grid-cols-[minmax(0,1fr)_auto] card gap-y-3 p-4 sm:grid-cols-[minmax(0,1fr)_auto_auto]",
    follow: "max-sm:order-1 max-sm:col-span-full",
    button: "max-sm:w-full min-w-28",
    dismiss: "size-11",
  },
};

/** A line of their bio, and those one follows who follow them; the rail has space for one of the two. */
function Words({ account: { bio, followedBy }, small }: Pick<Props, "account" | "small">) {
  const line = bio && (
    <span dir="auto" className="block truncate">
      {bio}
    </span>
  );
  const reason = followedBy && (
    <span className="line-clamp-2 text-muted">
      <FollowedBy by={followedBy} />
    </span>
  );
  if (small) return <p className="text-sm">{line || reason}</p>;
  if (!line && !reason) return null;
  return (
    <p className="col-span-full flex flex-col gap-1 text-sm">
      {line}
      {reason}
    </p>
  );
}
