import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import {
  appAlerts,
  describeIn,
  type AppPush,
  type createAppPush,
} from "#server/features/talk/index.ts";
import { avatarUrl } from "#server/mastodon/entities/media.ts";
import type { MastodonRouter, MastodonDeps } from "#server/mastodon/router.ts";
import type { Input } from "#server/mastodon/input.ts";

type AppPushes = ReturnType<typeof createAppPush>;
type Subscription = Awaited<ReturnType<AppPushes["find"]>>;

const address = "/api/v1/push/subscription";

/** docs.joinmastodon.org/methods/push */
export function pushRoutes(router: MastodonRouter, deps: MastodonDeps): void {
  const { appPush, push } = deps.features;
  appPush.setWriter((event) => payloadOf(deps, event));

  router.member("post", address, "push", async ({ viewer, caller: { tokenId, token }, input }) => {
    const key = (name: string) => input.text(`subscription[keys][${name}]`) ?? "";
    const subscription = await appPush.subscribe(
      { viewer, tokenId, token },
      {
        endpoint: input.text("subscription[endpoint]") ?? "",
        p256dh: key("p256dh"),
        auth: key("auth"),
      },
      { ...wantedIn(input), standard: input.flag("subscription[standard]") ?? false },
    );
    return entityOf(subscription);
  });
  router.member("get", address, "push", async ({ viewer, caller: { tokenId } }) =>
    entityOf(await appPush.find({ viewer, tokenId })),
  );
  router.member("put", address, "push", async ({ viewer, caller: { tokenId }, input }) =>
    entityOf(await appPush.change({ viewer, tokenId }, wantedIn(input))),
  );
  router.member("delete", address, "push", async ({ viewer, caller: { tokenId } }) => {
    await appPush.end({ viewer, tokenId });
    return {};
  });

  /** docs.joinmastodon.org/entities/WebPushSubscription, and the policy, which Mastodon returns too */
  const entityOf = ({ id, endpoint, standard, alerts, policy }: Subscription) => ({
    id: shortId(id),
    endpoint,
    standard,
    alerts: Object.fromEntries(appAlerts.map((name) => [name, alerts.includes(name)])),
    policy,
    server_key: push.publicKey,
  });
}

/** The policy is where the documentation's form has it, or, as in its text about PUT, at the top level. */
const wantedIn = (input: Input) => ({
  alerts: appAlerts.filter((name) => input.flag(`data[alerts][${name}]`) === true),
  policy: input.text("data[policy]") ?? input.text("policy"),
});

/**
 * A number of 31 bits, because Mastodon and its examples have a number: apps store it as an integer, of 32
 * bits on Android, and no call asks for it.
 */
const shortId = (id: string): number => Number.parseInt(id.slice(-8), 16) & 0x7f_ff_ff_ff;

/**
 * What Mastodon sends (app/serializers/web/notification_serializer.rb). The id is a number with all its digits,
 * which JSON.stringify could not write.
 */
function payloadOf(
  urls: Pick<MastodonDeps, "publicUrl" | "imagesUrl">,
  { actId, alert, view, token }: AppPush,
): string {
  const [actor] = view.people;
  const said = JSON.stringify({
    access_token: token,
    preferred_locale: "en",
    notification_type: alert,
    icon: actor ? avatarUrl(urls, actor) : `${urls.publicUrl}/icon-192.png`,
    title: describeIn("en", view).slice(0, 300),
    body: view.text,
  });
  return `{"notification_id":${decimalOf(actId)},${said.slice(1)}`;
}
