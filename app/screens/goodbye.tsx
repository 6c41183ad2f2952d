import { useEffect } from "react";
import { redirect } from "react-router";
import { limits } from "#shared/limits.ts";
import * as words from "#messages/account.json";
import { signIn } from "#messages/identity.json";
import { hasJustLeft } from "#app/features/archive/farewell.ts";
import { appContext } from "#app/lib/context.server.ts";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { notifyOtherTabs } from "#app/lib/live/session-channel.ts";
import { counted } from "#app/lib/text/messages.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/goodbye";

export const meta = pageMeta(words.goodbye);

/** Only for who just asked for the deletion of their account: to others it would not be true. */
export function loader({ request, context }: Route.LoaderArgs) {
  if (context.get(appContext).viewer || !hasJustLeft(request)) throw redirect("/");
  return null;
}

export default function Goodbye() {
  useEffect(() => {
    forgetLists();
    notifyOtherTabs("signed-out");
  }, []);
  return (
    <EmptyState
      heading
      title={words.goodbyeTitle}
      action={
        <ButtonLink to="/signIn" look="outline" className="min-w-40">
          {signIn}
        </ButtonLink>
      }
    >
      <p>{counted(words.goodbyeText, limits.deletionDays)}</p>
    </EmptyState>
  );
}
