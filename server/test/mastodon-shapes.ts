import { z } from "zod";

/*
 * The entities of docs.joinmastodon.org/entities as apps read them, written by hand for the tests: they say
 * what may be null, and everything else is required.
 */
const decimal = z.string().regex(/^\d{1,19}$/);
const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const url = z.string().regex(/^https?:\/\//);
const html = z.string();
const count = z.int().min(0);
const field = z.object({ name: z.string(), value: html, verified_at: moment.nullable() });

export const account = z.object({
  id: decimal,
  username: z.string().min(1),
  acct: z.string().min(1),
  display_name: z.string().min(1),
  locked: z.boolean(),
  bot: z.boolean(),
  group: z.boolean(),
  discoverable: z.boolean(),
  indexable: z.boolean(),
  created_at: moment,
  note: html,
  url,
  uri: url,
  avatar: url,
  avatar_static: url,
  header: url,
  header_static: url,
  followers_count: count,
  following_count: count,
  statuses_count: count,
  last_status_at: z.string().nullable(),
  emojis: z.array(z.never()),
  fields: z.array(field),
});

export const mutedAccount = account.extend({ mute_expires_at: moment.nullable() });

export const ownAccount = account.extend({
  source: z.object({
    note: z.string(),
    fields: z.array(field),
    privacy: z.enum(["public", "private"]),
    sensitive: z.boolean(),
    language: z.string().nullable(),
    follow_requests_count: count,
  }),
  role: z.object({ id: z.string(), name: z.string(), permissions: z.string() }),
});

const size = z.object({ width: z.int().min(1), height: z.int().min(1), aspect: z.number() });
export const media = z.object({
  id: decimal,
  type: z.literal("image"),
  url,
  preview_url: url,
  remote_url: z.null(),
  meta: z.object({
    original: size,
    small: size,
    focus: z.object({ x: z.number().min(-1).max(1), y: z.number().min(-1).max(1) }),
  }),
  description: z.string().nullable(),
  blurhash: z.string().min(6).nullable(),
});

const tag = z.object({ name: z.string(), url });
export const status = z.object({
  id: decimal,
  uri: url,
  url,
  created_at: moment,
  edited_at: moment.nullable(),
  in_reply_to_id: decimal.nullable(),
  in_reply_to_account_id: decimal.nullable(),
  account,
  content: html,
  visibility: z.enum(["public", "private"]),
  sensitive: z.boolean(),
  spoiler_text: z.string(),
  media_attachments: z.array(media),
  mentions: z.array(z.object({ id: decimal, username: z.string(), acct: z.string(), url })),
  tags: z.array(tag),
  emojis: z.array(z.never()),
  reblogs_count: count,
  favourites_count: count,
  replies_count: count,
  reblog: z.null(),
  poll: z.null(),
  card: z.null(),
  application: z.null(),
  language: z.string().nullable(),
  favourited: z.boolean(),
  reblogged: z.boolean(),
  bookmarked: z.boolean(),
  muted: z.boolean(),
  pinned: z.boolean(),
  filtered: z.array(z.never()),
});

export const relationship = z.object({
  id: decimal,
  following: z.boolean(),
  showing_reblogs: z.boolean(),
  notifying: z.boolean(),
  languages: z.null(),
  followed_by: z.boolean(),
  blocking: z.boolean(),
  blocked_by: z.boolean(),
  muting: z.boolean(),
  muting_notifications: z.boolean(),
  requested: z.boolean(),
  requested_by: z.boolean(),
  domain_blocking: z.boolean(),
  endorsed: z.boolean(),
  note: z.string(),
});

const kind = z.enum(["follow", "follow_request", "favourite", "mention"]);
export const notification = z.object({
  id: decimal,
  type: kind,
  created_at: moment,
  group_key: z.string().min(1),
  account,
  status: status.optional(),
});

export const grouped = z.object({
  accounts: z.array(account),
  statuses: z.array(status),
  notification_groups: z.array(
    z.object({
      group_key: z.string().min(1),
      notifications_count: z.int().min(1),
      type: kind,
      most_recent_notification_id: z.number().min(1),
      page_min_id: decimal,
      page_max_id: decimal,
      latest_page_notification_at: moment,
      sample_account_ids: z.array(decimal).min(1),
      status_id: decimal.optional(),
    }),
  ),
});

const vapidKey = z.string().regex(/^[\w-]{87}$/);
const configuration = z.object({
  vapid: z.object({ public_key: vapidKey }),
  statuses: z.object({
    max_characters: z.int(),
    max_media_attachments: z.int(),
    characters_reserved_per_url: z.int(),
  }),
  media_attachments: z.object({
    supported_mime_types: z.array(z.string()).min(1),
    image_size_limit: z.int(),
    image_matrix_limit: z.int(),
    description_limit: z.int(),
  }),
  polls: z.object({
    max_options: z.int(),
    max_characters_per_option: z.int(),
    min_expiration: z.int(),
    max_expiration: z.int(),
  }),
});

/** docs.joinmastodon.org/entities/Rule */
export const rule = z.object({
  id: z.string().regex(/^\d+$/),
  text: z.string().min(1),
  hint: z.string(),
});

export const instanceV2 = z.object({
  domain: z.string().min(1),
  title: z.string().min(1),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  description: z.string(),
  usage: z.object({ users: z.object({ active_month: count }) }),
  thumbnail: z.object({ url }),
  languages: z.array(z.string()),
  configuration,
  registrations: z.object({ enabled: z.boolean(), approval_required: z.boolean() }),
  rules: z.array(rule),
});
export const instanceV1 = z.object({
  uri: z.string().min(1),
  title: z.string().min(1),
  version: z.string(),
  urls: z.object({ streaming_api: z.string().regex(/^wss?:/) }),
  stats: z.object({ user_count: count, status_count: count, domain_count: count }),
  registrations: z.boolean(),
  configuration,
});

export const context = z.object({ ancestors: z.array(status), descendants: z.array(status) });
export const found = z.object({
  accounts: z.array(account),
  statuses: z.array(status),
  hashtags: z.array(tag),
});
export const version = z.object({
  account,
  content: html,
  spoiler_text: z.string(),
  sensitive: z.boolean(),
  created_at: moment,
  media_attachments: z.array(media),
  emojis: z.array(z.never()),
});
export const source = z.object({ id: decimal, text: z.string(), spoiler_text: z.string() });
const places = z.array(z.enum(["home", "notifications", "public", "thread", "account"])).min(1);
export const filterKeyword = z.object({
  id: decimal,
  keyword: z.string().min(1),
  whole_word: z.boolean(),
});
export const filter = z.object({
  id: decimal,
  title: z.string().min(1),
  context: places,
  expires_at: moment.nullable(),
  filter_action: z.enum(["warn", "hide", "blur"]),
  keywords: z.array(filterKeyword),
  statuses: z.array(z.never()),
});
export const firstFilter = z.object({
  id: decimal,
  phrase: z.string().min(1),
  context: places,
  whole_word: z.boolean(),
  expires_at: moment.nullable(),
  irreversible: z.boolean(),
});
export const pushSubscription = z.object({
  // apps on Android read it into 32 bits
  id: z.int().min(0).max(0x7f_ff_ff_ff),
  endpoint: url,
  standard: z.boolean(),
  alerts: z.object(
    Object.fromEntries(
      [
        ["mention", "quote", "status", "reblog", "follow", "follow_request", "favourite", "poll"],
        ["update", "quoted_update", "admin.sign_up", "admin.report"],
      ]
        .flat()
        .map((name) => [name, z.boolean()]),
    ),
  ),
  policy: z.enum(["all", "followed", "follower", "none"]),
  server_key: vapidKey,
});
export const marker = z.object({ last_read_id: decimal, version: count, updated_at: moment });
export const empty = z.array(z.never());
export { tag };
