import { refuse } from "#shared/errors.ts";
import { appContext } from "#app/lib/context.ts";
import { refusalPage, requireMember } from "#app/lib/refusals.ts";
import type { Route } from "./+types/chat.ts";

/** A conversation is for members: a visitor is asked to sign in, whatever the address holds. */
export function loader({ context }: Route.LoaderArgs) {
  requireMember(context.get(appContext));
  throw refusalPage(refuse("not-found"));
}

export default function Chat() {
  return null;
}
