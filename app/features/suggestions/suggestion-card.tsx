import type { SubmitEvent } from "react";
import { Link, useLocation } from "react-router";
import type { SuggestedAccount } from "#shared/views.ts";
import { FollowButton } from "#app/features/follows/follow-button.tsx";
import { FollowedBy } from "#app/features/follows/followed-by.tsx";
import { returnParameter } from "#app/lib/return-path.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { XIcon } from "#app/ui/icons.ts";
import { focusOf, Picture } from "#app/ui/picture.tsx";

type Props = {
  person: SuggestedAccount;
  /** in the rail: less of it */
  small?: boolean;
  onDismiss: () => void;
  onFollow?: ((following: boolean) => void) | undefined;
};

/** Somebody to follow: who it is, what they post, and why they are suggested. */
export function SuggestionCard({ person, small = false, onDismiss, onFollow }: Props) {
  const { name, username, avatar, bio, followedBy, photos } = person;
  return (
    <li
      className={`group relative flex flex-col ${
        small ? "gap-2 py-3" : "gap-3 rounded-box border border-line p-4"
      }`}
    >
      <div className="flex items-center gap-3">
        <Link
          to={`/search/${person.id}`}
          // The whole card leads there; what is pressed on it lies above.
          className="flex min-w-0 flex-1 items-center gap-3 after:absolute after:inset-0 after:rounded-box"
        >
          <Avatar name={name} picture={avatar} size={small ? "md" : "lg"} />
          <span className="min-w-0">
            <bdi className="block truncate font-semibold group-hover:underline">{name}</bdi>
            <span className="block truncate text-sm text-muted">@{username}</span>
          </span>
        </Link>
        <FollowButton
          account={person}
          following={false}
          signedIn
          quiet
          className={`relative ${small ? "btn-sm px-2.5" : "min-w-24"}`}
          onAnswer={({ following }) => onFollow?.(following)}
        />
        <DismissButton person={person} small={small} onDismiss={onDismiss} />
      </div>
      {small ? (
        <p dir="auto" className="truncate text-sm text-muted empty:hidden">
          {bio || (followedBy && <FollowedBy by={followedBy} />)}
        </p>
      ) : (
        (bio || followedBy) && (
          <div className="flex flex-col gap-1 text-sm">
            {bio && (
              <p dir="auto" className="truncate">
                {bio}
              </p>
            )}
            {followedBy && (
              <p className="truncate text-muted">
                <FollowedBy by={followedBy} />
              </p>
            )}
          </div>
        )
      )}
      {photos.length > 0 && (
        <span className="grid grid-cols-3 gap-1">
          {photos.map((photo) => (
            <Picture
              key={photo.key}
              picture={photo}
              // The card says whose they are, and its link leads to them.
              alt=""
              sizes={small ? "84px" : "(min-width: 48rem) 180px, 33vw"}
              fit="cover"
              className={`rounded-field ${small ? "aspect-4/3" : "aspect-square"} ${focusOf(photo)}`}
            />
          ))}
        </span>
      )}
    </li>
  );
}

/** Without scripts its form does the same. */
function DismissButton({ person, small, onDismiss }: Props) {
  const { pathname, search } = useLocation();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onDismiss();
  };
  return (
    <form
      method="post"
      action={`/suggestions/${person.id}/dismiss`}
      onSubmit={submit}
      className="relative -mx-2"
    >
      <input type="hidden" name={returnParameter} value={pathname + search} />
      <button
        type="submit"
        aria-label={`Don't suggest ${person.name}`}
        title="Don't suggest"
        className={`grid place-items-center rounded-full text-muted hover:bg-base-200 ${
          small ? "size-7" : "size-11"
        }`}
      >
        <XIcon className="size-4" aria-hidden />
      </button>
    </form>
  );
}
