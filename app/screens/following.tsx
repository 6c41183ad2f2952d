import { PeoplePage } from "#app/features/follows/people-page.tsx";
import { readPeople } from "#app/features/follows/read-people.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import type { Route } from "./+types/following.ts";

export const headers = publicPage;

export function loader({ request, params, context }: Route.LoaderArgs) {
  return readPeople(context.get(appContext), "following", params.id, request.url);
}

export default function Following({ loaderData }: Route.ComponentProps) {
  return <PeoplePage list="following" {...loaderData} />;
}
