import type { MetaDescriptor } from "react-router";
import { largestVariant } from "#shared/image-urls.ts";
import { effectiveAudience } from "#shared/effective-audience.ts";
import type { ImageView, PostView, ProfileView } from "#shared/views.ts";
import * as words from "#messages/ui.json";
import type { LandingProps as Landing } from "#app/features/landing/landing.tsx";
import { veilText } from "#app/features/posts/veiled.tsx";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { fill } from "#app/lib/text/messages.tsx";

/** Wide enough for every network's large card, and still a small file; pixels. */
const previewWidth = 1280;

/** The site and address of a page. */
type CardContext = {
  /** the public address, without a slash at the end */
  publicUrl: string;
  /** the operator's name for it */
  site: { name: string };
};

type Preview = {
  /** the canonical address of this page */
  path: string;
  title: string;
  description: string;
  type: "article" | "profile" | "website";
  image: { view: ImageView; alt: string; large: boolean } | null | undefined;
};

const oneLine = (text: string) => text.replace(/\s+/gu, " ").trim();

/** For pages that search engines and previews are to leave alone. */
const notIndexed: MetaDescriptor = { name: "robots", content: "noindex" };

/**
 * The preview of a link to a post: its photo and its text, or the warning in place of both. One that is not for
 * everyone has none.
 */
export function postPreview(context: CardContext, post: PostView): MetaDescriptor[] {
  const { author, caption, pictures, sensitive, warning } = post;
  const [photo] = sensitive ? [] : pictures;
  const text = oneLine(sensitive ? veilText(warning) : caption);
  const title = text ? firstGraphemes(text, 60) : words.aPhoto;
  const own = { title: `${title} · ${author.name} · ${context.site.name}` };
  if (effectiveAudience(post.audience, post.private) !== "everyone") return [own, notIndexed];
  return [
    own,
    ...previewTags(context, {
      path: pathOfPost(post),
      title: fill(words.nameOnSite, { name: author.name, site: context.site.name }),
      description: text ? firstGraphemes(text, 200) : fill(words.aPhotoBy, { name: author.name }),
      type: "article",
      image: photo && {
        view: photo,
        alt: photo.alt || fill(words.photoBy, { name: author.name }),
        large: true,
      },
    }),
    { property: "article:published_time", content: new Date(post.createdAt).toISOString() },
    { property: "article:author", content: `${context.publicUrl}/search/${author.id}` },
  ];
}

/** The preview of a link to a profile: the avatar, the name, the bio. Search engines leave out private ones. */
export function profilePreview(
  context: CardContext,
  { account, bio, isPrivate }: Pick<ProfileView, "account" | "bio" | "isPrivate">,
): MetaDescriptor[] {
  const { id, name, username, avatar } = account;
  return [
    { title: `${name} · ${context.site.name}` },
    ...(isPrivate ? [notIndexed] : []),
    ...previewTags(context, {
      path: `/search/${id}`,
      title: `${name} (@${username})`,
      description: firstGraphemes(oneLine(bio), 200) || fill(words.photosBy, { name }),
      type: "profile",
      image: avatar && { view: avatar, alt: fill(words.pictureOf, { name }), large: false },
    }),
    { property: "profile:username", content: username },
  ];
}

/**
 * The preview of a link for guests: its maker's name and the first photo where its maker allows them, from an address
 * that works for messengers, too, which have no cookie.
 */
export function sharedLinkPreview(
  { publicUrl, site }: CardContext,
  token: string,
  shown: { maker: string; photo: ImageView | null } | null,
): MetaDescriptor[] {
  const title = shown ? fill(words.photosFrom, { name: shown.maker }) : words.someoneShared;
  const own = [{ title: `${title} · ${site.name}` }, notIndexed];
  if (!shown) return own;
  return [
    ...own,
    { property: "og:site_name", content: site.name },
    { property: "og:title", content: title },
    { name: "twitter:card", content: shown.photo ? "summary_large_image" : "summary" },
    ...(shown.photo
      ? [{ property: "og:image", content: `${publicUrl}/l/${token}/preview.webp` }]
      : []),
  ];
}

/**
 * The preview of a link to the front page: the operator's description of the site, and the newest photo
 * that visitors are shown there, or our stamp.
 */
export function landingPreview(
  publicUrl: string,
  { name, line, photos }: Pick<Landing, "name" | "line" | "photos">,
): MetaDescriptor[] {
  const view = photos.find(({ sensitive }) => !sensitive)?.picture;
  const image = view && { view, alt: view.alt || words.aPhoto, large: true };
  return [
    ...previewTags(
      { publicUrl, site: { name } },
      { path: "/", title: name, description: line, type: "website", image },
    ),
    ...(image ? [] : [{ property: "og:image", content: `${publicUrl}/icon-512.png` }]),
  ];
}

function previewTags(
  { publicUrl, site }: CardContext,
  { path, title, description, type, image }: Preview,
): MetaDescriptor[] {
  const url = publicUrl + path;
  return [
    { tagName: "link", rel: "canonical", href: url },
    { name: "description", content: description },
    { property: "og:site_name", content: site.name },
    { property: "og:type", content: type },
    { property: "og:url", content: url },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { name: "twitter:card", content: image?.large ? "summary_large_image" : "summary" },
    ...(image ? imageTags(publicUrl, image) : []),
  ];
}

function imageTags(publicUrl: string, { view, alt }: { view: ImageView; alt: string }) {
  const { url, width, height } = largestVariant(view, previewWidth);
  return [
    { property: "og:image", content: new URL(url, publicUrl).href },
    { property: "og:image:type", content: "image/webp" },
    { property: "og:image:width", content: String(width) },
    { property: "og:image:height", content: String(height) },
    { property: "og:image:alt", content: alt },
    { name: "twitter:image:alt", content: alt },
  ];
}
