import { Link } from "react-router";
import { pathOfNotification, whatWasDone, whoDidIt } from "#shared/notifications.ts";
import type { NotificationView } from "#shared/notifications.ts";
import { PostTime } from "#app/features/posts/post-time.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Picture } from "#app/ui/picture.tsx";

/** Who did what, when, and the picture it was done to; the whole row leads there. */
export function NotificationRow({ view }: { view: NotificationView }) {
  const { people, others, unread, at, text, post } = view;
  const [first, second] = people;
  if (!first) return null;
  return (
    <li
      className={`relative flex gap-3 border-b border-line px-4 py-3 hover:bg-base-200 ${unread ? "bg-primary/8" : ""}`}
    >
      <div className="relative size-14 shrink-0">
        <Avatar name={first.name} picture={first.avatar} size={second ? "md" : "lg"} />
        {second && (
          <span className="absolute end-0 bottom-0 rounded-full ring-2 ring-base-100">
            <Avatar name={second.name} picture={second.avatar} size="sm" />
          </span>
        )}
      </div>
      <div className="min-w-0 flex-1">
        <Link
          to={pathOfNotification(view)}
          className="wrap-anywhere before:absolute before:inset-0"
          aria-label={`${unread ? "New: " : ""}${whoDidIt({ people, others })} ${whatWasDone(view)}`}
        >
          <span className="line-clamp-3">
            <Names view={view} /> {whatWasDone(view)}
          </span>
        </Link>
        {text && (
          <p dir="auto" className="line-clamp-2 text-muted wrap-anywhere">
            {text}
          </p>
        )}
        <p className="text-sm text-muted">
          <PostTime at={at} />
          {unread && <span className="sr-only"> New</span>}
        </p>
      </div>
      {post?.picture && (
        <Picture
          picture={post.picture}
          alt=""
          sizes="48px"
          fit="cover"
          className="size-12 shrink-0 overflow-hidden rounded-field"
        />
      )}
    </li>
  );
}

function Names({ view: { people, others } }: { view: NotificationView }) {
  const rest = whoDidIt({ people: [], others });
  const names = people.map(({ id, name }) => (
    <bdi key={id} className="font-semibold">
      {name}
    </bdi>
  ));
  const [first, second] = names;
  if (!second)
    return others > 0 ? (
      <>
        {first} and {rest}
      </>
    ) : (
      first
    );
  return others > 0 ? (
    <>
      {first}, {second} and {rest}
    </>
  ) : (
    <>
      {first} and {second}
    </>
  );
}
