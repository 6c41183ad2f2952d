import { useEffect } from "react";
import { redirect } from "react-router";
import { limits } from "#shared/limits.ts";
import { hasJustLeft } from "#app/features/archive/farewell.ts";
import { appContext } from "#app/lib/context.server.ts";
import { metaDescription } from "#app/lib/page/meta-description.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { notifyOtherTabs } from "#app/lib/live/session-channel.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/goodbye";

export const meta: Route.MetaFunction = () => [
  { title: documentTitle("Goodbye") },
  metaDescription,
];

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
      title="Goodbye, and thank you for your posts"
      action={
        <ButtonLink to="/signIn" look="outline" className="min-w-40">
          Sign In
        </ButtonLink>
      }
    >
      <p>
        Your account is now hidden and you're signed out everywhere. It will be deleted for good in{" "}
        {limits.deletionDays} days. If you change your mind before then, sign in to keep it.
      </p>
    </EmptyState>
  );
}
