import { expect, test } from "vitest";
import { inOrder, type ExportedPost } from "#shared/exports/export.ts";

const post = (fields: Partial<ExportedPost>): ExportedPost => ({
  id: null,
  time: Date.UTC(2020, 0, 1),
  caption: "",
  pictures: [],
  audience: "everyone",
  warning: null,
  sensitive: false,
  ...fields,
});
const picture = (file: string) => ({ file, alt: "", focalPoint: null });

test("the keys of posts stay those that are stored: a post that came once never comes again", async () => {
  const zip = {
    has: (name: string) => name === "a.jpg",
    fingerprint: () => Promise.resolve("305419896-1234"),
  };
  const posts = [
    post({ pictures: [picture("a.jpg"), picture("ü.jpg")] }),
    post({ id: "https://mastodon.example/users/ada/statuses/1", time: Date.UTC(2021, 0, 1) }),
  ];
  const keyed = await inOrder({ kind: "instagram", zip }, posts);
  expect(keyed.map(({ key }) => key)).toEqual([
    "instagram:bd5bd56234a1c46a7c23aaf640125a16",
    "instagram:c9aef1ad7e571c85f3bdc8fe66422717",
  ]);
});
