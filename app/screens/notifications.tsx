import { about } from "#app/lib/about.ts";
import { appContext } from "#app/lib/context.ts";
import { requireMember } from "#app/lib/refusals.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/notifications.ts";

export const meta: Route.MetaFunction = () => [{ title: "Notifications · Postcard" }, about];

export function loader({ context }: Route.LoaderArgs) {
  requireMember(context.get(appContext));
  return null;
}

export default function Notifications() {
  return (
    <>
      <PageTitle>Notifications</PageTitle>
      <EmptyState title="All quiet">
        <p>When somebody follows you, likes a post or writes to you, it is told here.</p>
      </EmptyState>
    </>
  );
}
