import type { MastodonRouter, MastodonDeps } from "#server/mastodon/router.ts";
import { limits } from "#shared/limits.ts";

/** The version of the API that apps look for, then ours: they enable calls by it. */
const version = "4.3.0 (compatible; Postcard 0.1.0)";
const imageTypes = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/avif",
  "image/heic",
  "image/gif",
];

const configuration = (publicUrl: string, vapidKey: string) => ({
  urls: { streaming: publicUrl.replace(/^http/, "ws") },
  accounts: { max_featured_tags: 0, max_pinned_statuses: 0 },
  statuses: {
    max_characters: limits.caption,
    max_media_attachments: limits.photosPerPost,
    // an address counts as much as every other word does
    characters_reserved_per_url: 23,
    supported_mime_types: ["text/plain"],
  },
  media_attachments: {
    supported_mime_types: imageTypes,
    description_limit: limits.altText,
    image_size_limit: limits.imageBytes,
    image_matrix_limit: limits.imagePixels,
    video_size_limit: 0,
    video_frame_rate_limit: 0,
    video_matrix_limit: 0,
  },
  // There are none, but apps read the numbers all the same.
  polls: {
    max_options: 0,
    max_characters_per_option: 0,
    min_expiration: 0,
    max_expiration: 0,
  },
  translation: { enabled: false },
  vapid: { public_key: vapidKey },
});

/** docs.joinmastodon.org/methods/instance, and by which others ask what a server is. */
export function instanceRoutes(router: MastodonRouter, deps: MastodonDeps): void {
  const anybody = { who: "anybody" } as const;
  const { features, publicUrl } = deps;
  const set = configuration(publicUrl, features.push.publicKey);

  router.get("/api/v2/instance", anybody, async () => instance(deps, set));
  router.get("/api/v1/instance", anybody, async () => firstInstance(deps, set));
  // The site has one line of description, which is above; Mastodon answers like this if nobody wrote more.
  router.get("/api/v1/instance/extended_description", anybody, () => ({
    updated_at: null,
    content: "",
  }));
  router.get("/api/v1/instance/rules", anybody, async () => rulesOf(deps));
  router.get("/api/v1/instance/languages", anybody, () => [{ code: "en", name: "English" }]);

  nodeInfoRoutes(router, deps);
}

/** Schemas 2.0 and 2.1 differ in nothing that we say. */
const nodeInfos = ["2.0", "2.1"] as const;

/**
 * nodeinfo.diaspora.software. Apps built on megalodon know a server by it, and take one that they don't know
 * for Mastodon if `metadata.upstream` says so (its src/detector.ts, commit 9550bad).
 */
function nodeInfoRoutes(router: MastodonRouter, { features, publicUrl }: MastodonDeps): void {
  const anybody = { who: "anybody" } as const;
  router.get("/.well-known/nodeinfo", anybody, () => ({
    links: nodeInfos.map((each) => ({
      rel: `http://nodeinfo.diaspora.software/ns/schema/${each}`,
      href: `${publicUrl}/nodeinfo/${each}`,
    })),
  }));
  for (const each of nodeInfos)
    router.get(`/nodeinfo/${each}`, anybody, async () => {
      const [{ name, line, signUp }, { members, posts, activeMonth }] = await Promise.all([
        features.site(),
        features.usage(),
      ]);
      return {
        version: each,
        software: { name: "postcard", version: "0.1.0" },
        // At least one has to be named, and none of those that may be is spoken here: apps expect this one.
        protocols: ["activitypub"],
        services: { inbound: [], outbound: [] },
        openRegistrations: signUp === "open",
        usage: { users: { total: members, activeMonth }, localPosts: posts },
        metadata: { nodeName: name, nodeDescription: line, upstream: { name: "mastodon" } },
      };
    });
}

type Configuration = ReturnType<typeof configuration>;

/** docs.joinmastodon.org/entities/Rule: reports name them by their ids. */
async function rulesOf({ features }: MastodonDeps) {
  const rules = await features.operatorSettings.rules();
  return rules.map((text, at) => ({ id: String(at + 1), text, hint: "" }));
}

/** docs.joinmastodon.org/entities/Instance */
async function instance(deps: MastodonDeps, set: Configuration) {
  const { features, publicUrl } = deps;
  const [{ name, line, signUp }, { activeMonth }, rules] = await Promise.all([
    features.site(),
    features.usage(),
    rulesOf(deps),
  ]);
  return {
    domain: new URL(publicUrl).host,
    title: name,
    version,
    source_url: "",
    description: line,
    usage: { users: { active_month: activeMonth } },
    thumbnail: { url: `${publicUrl}/icon-512.png`, blurhash: null, versions: {} },
    icon: [{ src: `${publicUrl}/icon-192.png`, size: "192x192" }],
    languages: [],
    configuration: set,
    // Signing up with an invitation is done in a browser.
    registrations: {
      enabled: signUp === "open",
      approval_required: false,
      reason_required: false,
      message: signUp === "invitation" ? "Signing up here takes an invitation." : null,
      url: signUp === "closed" ? null : `${publicUrl}/signUp`,
    },
    api_versions: { mastodon: 2 },
    contact: { email: "", account: null },
    rules,
  };
}

/** docs.joinmastodon.org/entities/V1_Instance */
async function firstInstance(deps: MastodonDeps, set: Configuration) {
  const { features, publicUrl } = deps;
  const [{ name, line, signUp }, { members, posts }, rules] = await Promise.all([
    features.site(),
    features.usage(),
    rulesOf(deps),
  ]);
  return {
    uri: new URL(publicUrl).host,
    title: name,
    short_description: line,
    description: line,
    email: "",
    version,
    urls: { streaming_api: set.urls.streaming },
    // No other server is known here.
    stats: { user_count: members, status_count: posts, domain_count: 0 },
    thumbnail: `${publicUrl}/icon-512.png`,
    languages: [],
    registrations: signUp === "open",
    approval_required: false,
    invites_enabled: signUp === "invitation",
    configuration: set,
    contact_account: null,
    rules,
  };
}
