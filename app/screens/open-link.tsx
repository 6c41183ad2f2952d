import { redirect } from "react-router";
import * as words from "#messages/links.json";
import { guestPath } from "#shared/shared-links.ts";
import { appContext } from "#app/lib/context.server.ts";
import { sharedLinkPreview } from "#app/lib/page/link-preview.server.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { Letter } from "#app/ui/letter.tsx";
import type { Route } from "./+types/open-link";

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.card ?? [];

/**
 * The address of a link. A browser gets a cookie in place of the token, and leaves it behind at once; a program that
 * looks for somebody else (a HEAD, a messenger's preview) gets what its maker allows to be shown.
 */
export async function loader({ params: { token }, context, url }: Route.LoaderArgs) {
  const { features, client, head, publicUrl, site } = context.get(appContext);
  const { guests } = features;
  // A browser that calls itself like one of those gets in by the button of the page.
  if (!url.searchParams.has("open") && (head || guests.isPreview(client.userAgent))) {
    const shown = await guests.preview(token, client.ip);
    return {
      card: sharedLinkPreview({ publicUrl, site }, token, shown),
      from: shown?.maker ?? null,
    };
  }
  const { id, cookie } = await guests.enter(token, client);
  throw redirect(guestPath(id), { headers: { "Set-Cookie": cookie } });
}

export default function OpenLink({ loaderData: { from } }: Route.ComponentProps) {
  return (
    <Letter
      mark={words.parAvion}
      number="✉"
      title={from === null ? words.someoneSent : fill(words.postcardFrom, { name: from })}
    >
      <p className="mt-3 text-pretty text-muted">{words.opensInBrowser}</p>
      <form className="mt-6">
        <button name="open" value="1" className="btn btn-primary">
          {words.openIt}
        </button>
      </form>
    </Letter>
  );
}
