import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { timeOf } from "#server/platform/db/ids.ts";
import {
  accountUri,
  isoTime,
  lineHtml,
  linkHtml,
  profileUrl,
  toHtml,
  type Named,
  type TextContext,
} from "#server/mastodon/entities/content.ts";
import { avatarUrl } from "#server/mastodon/entities/media.ts";
import type { AccountDetails, Relation } from "#server/features/people/index.ts";
import type { Visibility } from "#server/mastodon/visibility.ts";
import { shownFieldNames, websiteOf } from "#shared/profiles.ts";
import { shownWebsite } from "#shared/shown-website.ts";
import { recordOf } from "#shared/records.ts";
import type { AccountSummary } from "#shared/views.ts";
import { parseWebAddress } from "#shared/web-address.ts";

type BaseUrls = { publicUrl: string; imagesUrl: string };

const unknown = (account: AccountSummary): AccountDetails => ({
  account,
  ...recordOf(shownFieldNames, () => ""),
  websiteVerifiedAt: null,
  extraFields: [],
  mentions: [],
  isPrivate: false,
  discoverable: false,
  posts: 0,
  followers: 0,
  following: 0,
});

/** docs.joinmastodon.org/entities/Account */
export function accountEntity(urls: BaseUrls, details: AccountDetails, named: Named) {
  const { account, bio } = details;
  const avatar = avatarUrl(urls, account);
  const header = `${urls.publicUrl}/app-header.png`;
  return {
    id: decimalOf(account.id),
    username: account.username,
    acct: account.username,
    display_name: account.name,
    locked: details.isPrivate,
    bot: false,
    discoverable: details.discoverable,
    group: false,
    created_at: isoTime(timeOf(account.id)),
    note: toHtml(bio, { ...urls, named }),
    url: profileUrl(urls.publicUrl, account.username),
    uri: accountUri(urls.publicUrl, account.id),
    avatar,
    avatar_static: avatar,
    header,
    header_static: header,
    followers_count: details.followers,
    following_count: details.following,
    statuses_count: details.posts,
    last_status_at: null,
    hide_collections: details.isPrivate,
    noindex: details.isPrivate,
    indexable: false,
    emojis: [],
    roles: [],
    fields: shownFields(details, { ...urls, named: new Map() }),
  };
}

/**
 * docs.joinmastodon.org/entities/Account, "Field": the website, which is edited on our own pages, unless a field
 * says it too, and the fields.
 */
function shownFields({ website, ...details }: AccountDetails, context: TextContext) {
  const said = details.extraFields.some(({ value }) => websiteOf(value) === website);
  const first = { name: "Website", value: website, verifiedAt: details.websiteVerifiedAt };
  const all = website && !said ? [first, ...details.extraFields] : details.extraFields;
  return all.map(({ name, value, verifiedAt }) => {
    const url = parseWebAddress(value);
    const html = url ? linkHtml(url.href, shownWebsite(url.href), "me ") : lineHtml(value, context);
    return { name, value: html, verified_at: verifiedAt === null ? null : isoTime(verifiedAt) };
  });
}

/** The same as its member edits them. */
const ownFields = ({ extraFields }: Pick<AccountDetails, "extraFields">) =>
  extraFields.map(({ name, value, verifiedAt }) => ({
    name,
    value,
    verified_at: verifiedAt === null ? null : isoTime(verifiedAt),
  }));

/** For an account of which no more may be shown: one that the viewer blocked. */
export const hiddenAccountEntity = (urls: BaseUrls, account: AccountSummary) =>
  accountEntity(urls, unknown(account), new Map());

type Own = { named: Named; privacy: Visibility; language: string | null; requests: number };

/** docs.joinmastodon.org/entities/Account, "CredentialAccount" */
export function ownAccountEntity(
  urls: BaseUrls,
  details: AccountDetails,
  { named, privacy, language, requests }: Own,
) {
  const { bio, discoverable } = details;
  return {
    ...accountEntity(urls, details, named),
    source: {
      note: bio,
      fields: ownFields(details),
      privacy,
      sensitive: false,
      language,
      follow_requests_count: requests,
      hide_collections: false,
      discoverable,
      indexable: false,
    },
    role: { id: "-99", name: "", permissions: "0", color: "", highlighted: false },
  };
}

/** docs.joinmastodon.org/entities/Profile: what its member edits, as they typed it. */
export function profileEntity(urls: BaseUrls, { account, ...details }: AccountDetails) {
  const { bio, discoverable, isPrivate } = details;
  const avatar = account.avatar ? avatarUrl(urls, account) : null;
  return {
    id: decimalOf(account.id),
    display_name: account.name,
    note: bio,
    fields: ownFields(details),
    avatar,
    avatar_static: avatar,
    avatar_description: "",
    header: null,
    header_static: null,
    header_description: "",
    locked: isPrivate,
    bot: false,
    hide_collections: false,
    discoverable,
    indexable: false,
    show_media: true,
    show_media_replies: false,
    show_featured: false,
    attribution_domains: [],
    featured_tags: [],
  };
}

/** docs.joinmastodon.org/entities/Relationship */
export const relationEntity = ({
  id,
  following,
  followedBy,
  blocking,
  muting,
  ...asked
}: Relation) => ({
  id: decimalOf(id),
  following,
  showing_reblogs: following,
  notifying: false,
  languages: null,
  followed_by: followedBy,
  blocking,
  blocked_by: false,
  muting,
  muting_notifications: muting,
  requested: asked.requested,
  requested_by: asked.requestedBy,
  domain_blocking: false,
  endorsed: false,
  note: asked.note,
});
