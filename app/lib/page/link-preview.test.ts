import { expect, test } from "vitest";
import { postPreview, profilePreview } from "#app/lib/page/link-preview.server.ts";
import type { PostView } from "#shared/views.ts";

const context = { publicUrl: "https://photos.example", site: { name: "Photos" } };
const account = { id: "1", username: "ada", name: "Ada", avatar: null };
const post = {
  number: 3,
  author: account,
  caption: "Low tide",
  pictures: [],
  createdAt: 0,
  audience: "everyone",
  private: false,
  warning: null,
  sensitive: false,
} as Partial<PostView> as PostView;
const noindex = { name: "robots", content: "noindex" };

test("a post for everyone of a public account has a preview, and no other one has", () => {
  expect(postPreview(context, post)).toContainEqual({
    property: "og:description",
    content: "Low tide",
  });
  const bare = [{ title: "Low tide · Ada · Photos" }, noindex];
  for (const audience of ["followers", "close-friends", "only-me"] as const)
    expect(postPreview(context, { ...post, audience })).toEqual(bare);
  expect(postPreview(context, { ...post, private: true })).toEqual(bare);
});

test("of a post with a content warning a preview has that, and neither its words nor its photo", () => {
  const picture = { key: "a".repeat(32), width: 640, height: 480, widths: [640], alt: "A boat" };
  const plain = { ...post, pictures: [picture] } as Partial<PostView> as PostView;
  expect(JSON.stringify(postPreview(context, plain))).toMatch(/Low tide.*og:image.*A boat/);
  for (const warning of ["High\nwaves", null]) {
    const tags = postPreview(context, { ...plain, sensitive: true, warning });
    expect(tags).toContainEqual({
      property: "og:description",
      content: warning ? "High waves" : "Sensitive content",
    });
    expect(JSON.stringify(tags)).not.toMatch(/tide|image"|boat|aaaa/);
  }
});

test("a private profile is in no index", () => {
  const profile = { account, bio: "" };
  expect(profilePreview(context, { ...profile, isPrivate: true })).toContainEqual(noindex);
  expect(profilePreview(context, { ...profile, isPrivate: false })).not.toContainEqual(noindex);
});
