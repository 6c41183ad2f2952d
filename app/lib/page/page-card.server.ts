import type { MetaDescriptor } from "react-router";
import { largestVariant } from "#shared/pictures.ts";
import type { PictureView, PostView, ProfileView } from "#shared/views.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { pathOfPost } from "#app/lib/text/links.ts";

/** Wide enough for every network's large card, and still a small file; pixels. */
const cardWidth = 1280;

type Card = {
  /** the address people use, without a slash at the end */
  publicUrl: string;
  /** the one address of this page, whichever led here */
  path: string;
  title: string;
  description: string;
  type: "article" | "profile";
  picture: { view: PictureView; alt: string; large: boolean } | null | undefined;
};

const oneLine = (text: string) => text.replace(/\s+/gu, " ").trim();

/** What a link to a post shows elsewhere: its picture and its words. */
export function postCard(publicUrl: string, post: PostView): MetaDescriptor[] {
  const { author, caption, pictures } = post;
  const [picture] = pictures;
  const words = oneLine(caption);
  const title = words ? firstGraphemes(words, 60) : "A photo";
  return [
    { title: `${title} · ${author.name} · Postcard` },
    ...card({
      publicUrl,
      path: pathOfPost(post),
      title: `${author.name} on Postcard`,
      description: words ? firstGraphemes(words, 200) : `A photo by ${author.name}`,
      type: "article",
      picture: picture && {
        view: picture,
        alt: picture.alt || `Photo by ${author.name}`,
        large: true,
      },
    }),
    { property: "article:published_time", content: new Date(post.createdAt).toISOString() },
    { property: "article:author", content: `${publicUrl}/search/${author.id}` },
  ];
}

/** What a link to a profile shows elsewhere: the face, the name, the bio. */
export function profileCard(
  publicUrl: string,
  { account, bio }: Pick<ProfileView, "account" | "bio">,
): MetaDescriptor[] {
  const { id, name, username, avatar } = account;
  return [
    { title: `${name} · Postcard` },
    ...card({
      publicUrl,
      path: `/search/${id}`,
      title: `${name} (@${username})`,
      description: firstGraphemes(oneLine(bio), 200) || `Photos and words by ${name}`,
      type: "profile",
      picture: avatar && { view: avatar, alt: `${name}'s picture`, large: false },
    }),
    { property: "profile:username", content: username },
  ];
}

function card({ publicUrl, path, title, description, type, picture }: Card): MetaDescriptor[] {
  const url = publicUrl + path;
  return [
    { tagName: "link", rel: "canonical", href: url },
    { name: "description", content: description },
    { property: "og:site_name", content: "Postcard" },
    { property: "og:type", content: type },
    { property: "og:url", content: url },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { name: "twitter:card", content: picture?.large ? "summary_large_image" : "summary" },
    ...(picture ? pictureOf(publicUrl, picture) : []),
  ];
}

function pictureOf(publicUrl: string, { view, alt }: { view: PictureView; alt: string }) {
  const { url, width, height } = largestVariant(view, cardWidth);
  return [
    { property: "og:image", content: new URL(url, publicUrl).href },
    { property: "og:image:type", content: "image/webp" },
    { property: "og:image:width", content: String(width) },
    { property: "og:image:height", content: String(height) },
    { property: "og:image:alt", content: alt },
    { name: "twitter:image:alt", content: alt },
  ];
}
