import { localName } from "#server/mastodon/addresses.ts";
import { accountUri, profileUrl } from "#server/mastodon/entities/content.ts";
import type { Call, MastodonDeps, MastodonRouter } from "#server/mastodon/router.ts";
import { escapeHtml } from "#server/platform/html.ts";
import { found, refuse } from "#shared/errors.ts";
import { isUsername } from "#shared/usernames.ts";

/** Who is meant by an address (RFC 7033), and where that is asked (RFC 6415). */
export function webfingerRoutes(router: MastodonRouter, deps: MastodonDeps): void {
  const anybody = { who: "anybody" } as const;
  router.get("/.well-known/webfinger", anybody, webfinger);

  const template = `${deps.publicUrl}/.well-known/webfinger?resource={uri}`;
  const hostMeta = `<?xml version="1.0" encoding="UTF-8"?>
<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
  <Link rel="lrdd" template="${escapeHtml(template)}"/>
</XRD>
`;
  router.get("/.well-known/host-meta", anybody, ({ reply }) => {
    void reply.type("application/xrd+xml; charset=utf-8");
    return hostMeta;
  });
}

async function webfinger({ deps: { features, publicUrl }, input, reply }: Call) {
  const resource = input.text("resource");
  if (!resource) throw refuse("app-request", { message: "Which resource? None was named." });
  const named = await accountAt(features, nameIn(resource, publicUrl));
  const { id, username } = found(named);
  const page = profileUrl(publicUrl, username);
  const uri = accountUri(publicUrl, id);
  void reply.type("application/jrd+json; charset=utf-8");
  return {
    subject: `acct:${username}@${new URL(publicUrl).host}`,
    aliases: [uri, page],
    links: [
      { rel: "http://webfinger.net/rel/profile-page", type: "text/html", href: page },
      { rel: "alternate", type: "text/html", href: uri },
    ],
  };
}

/** `acct:ada@our.host`, and addresses of profiles: the username or the id in them. */
function nameIn(resource: string, publicUrl: string): string {
  if (!resource.startsWith(`${publicUrl}/`)) {
    return localName(resource.replace(/^acct:/i, ""), publicUrl);
  }
  const [, kind, name = ""] = resource.slice(publicUrl.length).split(/[/?#]/);
  return kind === "users" || kind === "search" ? name : "";
}

/** By a username or an id alone: whose an email is, nobody learns here. */
function accountAt({ accounts }: MastodonDeps["features"], name: string) {
  return isUsername(name.toLowerCase())
    ? accounts.findByAddress(null, name)
    : accounts.findById(null, name);
}
