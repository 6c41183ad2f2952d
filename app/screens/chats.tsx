import { about } from "#app/lib/about.ts";
import { appContext } from "#app/lib/context.ts";
import { requireMember } from "#app/lib/refusals.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/chats.ts";

export const meta: Route.MetaFunction = () => [{ title: "Chats · Postcard" }, about];

export function loader({ context }: Route.LoaderArgs) {
  requireMember(context.get(appContext));
  return null;
}

export default function Chats() {
  return (
    <>
      <PageTitle>Chats</PageTitle>
      <EmptyState
        title="Nobody to write to yet"
        action={<ButtonLink to="/search">Search for somebody</ButtonLink>}
      >
        <p>You can write to people who follow you and whom you follow.</p>
      </EmptyState>
    </>
  );
}
