import { useLocation } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { Stamp, Wordmark } from "#app/ui/stamp.tsx";

/** The quiet right side from xl on. */
export function Rail({ member }: { member: boolean }) {
  const { pathname } = useLocation();
  // Nothing beside the forms that ask for the same, nor beside chats, which have two sides already.
  if (/^\/(sign(in|up|out)\/?$|chat(\/|$))/i.test(pathname)) return null;
  return (
    <aside
      aria-label="About"
      // Where it stands anyway: on a short page it could not stand lower. Members have a header above.
      className={`sticky hidden w-72 shrink-0 self-start xl:block ${member ? "top-20" : "top-6"}`}
    >
      <div className="relative overflow-hidden rounded-box border border-line p-5 pt-6">
        <div className="airmail absolute inset-x-0 top-0 h-1.5" />
        <Stamp className="float-end ms-3 w-10 rotate-3" />
        <p className="font-wordmark text-xl text-balance">
          A picture on one side, a few warm words on the other.
        </p>
        {member ? null : (
          <ButtonLink to="/signUp" className="mt-4">
            Create your account
          </ButtonLink>
        )}
      </div>
      <p className="mt-6 px-2 text-sm text-muted">
        <Wordmark className="text-base" /> is free software that people host themselves.
      </p>
    </aside>
  );
}
