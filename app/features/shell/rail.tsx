import { useLocation } from "react-router";
import { whenAlive } from "#app/features/shell/when-alive.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Stamp } from "#app/ui/stamp.tsx";

const RailPeople = whenAlive(
  async () => (await import("#app/features/suggestions/rail-people.tsx")).RailPeople,
);

/** The quiet right side from xl on: people to follow, or what this is for visitors. */
export function Rail({ viewerId }: { viewerId: string | null }) {
  const { pathname } = useLocation();
  // Nothing beside the forms that ask for the same, nor beside chats, which have two sides already.
  if (/^\/(sign(in|up|out)\/?$|chat(\/|$))/i.test(pathname)) return null;
  return (
    <aside
      aria-label={viewerId ? "Suggestions" : "About"}
      // Where it stands anyway: on a short page it could not stand lower. Members have bell and messages above.
      className={`sticky hidden w-72 shrink-0 self-start xl:block top-6 ${viewerId ? "mt-12" : ""}`}
    >
      {viewerId ? (
        <RailPeople key={viewerId} />
      ) : (
        <div className="relative overflow-hidden rounded-box border border-line p-5 pt-6">
          <div className="airmail absolute inset-x-0 top-0 h-1.5" />
          <Stamp className="float-end ms-3 w-10 rotate-3" />
          <p className="font-wordmark text-xl text-balance">
            A picture on one side, a few warm words on the other.
          </p>
          <ButtonLink to="/signUp" className="mt-4">
            Create your account
          </ButtonLink>
        </div>
      )}
    </aside>
  );
}
