import { PeoplePage } from "#app/features/follows/people-page.tsx";
import { readPeople } from "#app/features/follows/read-people.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import type { Route } from "./+types/followers.ts";

export const headers = publicPage;

export function loader({ request, params, context }: Route.LoaderArgs) {
  return readPeople(context.get(appContext), "followers", params.id, request.url);
}

export default function Followers({ loaderData }: Route.ComponentProps) {
  return <PeoplePage list="followers" {...loaderData} />;
}
