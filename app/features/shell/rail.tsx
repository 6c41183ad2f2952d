import { useLocation } from "react-router";
import { useEffect, useState } from "react";
import * as words from "#messages/shell.json";
import { whenHydrated } from "#app/features/shell/when-hydrated.tsx";
import { useSignUpOpen } from "#app/lib/page/root-data.ts";
import { ButtonLink } from "#app/ui/button.tsx";

const RailSuggestions = whenHydrated(
  async () => (await import("#app/features/suggestions/rail-suggestions.tsx")).RailSuggestions,
);

/** Whether the window is, or was, wide enough for the rail (Tailwind's xl). */
function useRoomForRail(): boolean {
  const [room, setRoom] = useState(false);
  useEffect(() => {
    const wide = window.matchMedia("(min-width: 80rem)");
    const look = () => setRoom((before) => before || wide.matches);
    look();
    wide.addEventListener("change", look);
    return () => wide.removeEventListener("change", look);
  }, []);
  return room;
}

/** The quiet right side from xl on: accounts to follow, or what this is for visitors. */
export function Rail({ viewerId }: { viewerId: string | null }) {
  const { pathname } = useLocation();
  const signUpOpen = useSignUpOpen();
  const room = useRoomForRail();
  // Nothing beside forms that ask for the same, nor beside conversations, which have two columns already.
  if (/^\/(sign(in|up|out)\/?$|chat(\/|$))/i.test(pathname)) return null;
  return (
    <aside
      aria-label={words.about}
      // Where it is in the layout anyway: on a short page it could not be lower. Members have bell and
      // messages above.
      className={`sticky hidden w-72 shrink-0 self-start xl:block top-6 ${viewerId ? "mt-12" : ""}`}
    >
      {viewerId ? (
        room && <RailSuggestions />
      ) : (
        <div className="card p-5">
          <p className="font-wordmark text-xl">{words.motto}</p>
          {signUpOpen && (
            <ButtonLink to="/signUp" className="mt-4">
              {words.createAccount}
            </ButtonLink>
          )}
        </div>
      )}
    </aside>
  );
}
