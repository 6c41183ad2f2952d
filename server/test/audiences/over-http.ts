import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import type { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { maySee, type Post, type Who } from "#server/test/audiences/oracle.ts";
import { askers, memberAt, viewerAt, type World } from "#server/test/audiences/world.ts";
import type { Viewer } from "#shared/views.ts";

type App = Awaited<ReturnType<typeof testApp>>;

/**
 * An address; of one post where `post` is set: then it shows this one to everybody who may see it. A file is
 * shown by being answered.
 */
type Place = {
  kind: string;
  url: string;
  post?: Post;
  signedIn?: true;
  app?: true;
  file?: true;
};

const at = (kind: string, url: string, more: Omit<Place, "kind" | "url"> = {}): Place => ({
  kind,
  url,
  ...more,
});
const members = { signedIn: true } as const;
const apps = { app: true } as const;
const appsOfMembers = { ...apps, ...members };

const lists = ({ tag }: World): Place[] => [
  at("feed", "/api/feed", members),
  at("bookmarks", "/api/saved/photos", members),
  at("bookmarks of words", "/api/saved/texts", members),
  at("hashtag", `/api/tags/${tag}/posts`),
  at("Explore", "/api/explore"),
  at("suggestions", "/api/suggestions", members),
  at("notifications", "/api/notifications", members),
  at("documented accounts", "/api/users"),
  at("screen of home", "/_.data"),
  at("screen of Explore", "/search.data"),
  at("screen of a hashtag", `/search.data?q=%23${tag}`),
  at("screen of notifications", "/notifications.data", members),
  at("screen of bookmarks", "/saved.data", members),
  at("home in apps", "/api/v1/timelines/home", appsOfMembers),
  at("public timeline in apps", "/api/v1/timelines/public", apps),
  at("hashtag in apps", `/api/v1/timelines/tag/${tag}`, apps),
  at("likes in apps", "/api/v1/favourites", appsOfMembers),
  at("bookmarks in apps", "/api/v1/bookmarks", appsOfMembers),
  at("notifications in apps", "/api/v1/notifications", appsOfMembers),
];

const ofMember = ({ id, username }: Viewer): Place[] => [
  at("photos of a profile", `/api/accounts/${username}/photos`),
  at("words of a profile", `/api/accounts/${username}/texts`),
  at("documented account", `/api/users/id/${id}`),
  at("screen of a profile", `/search/${id}.data`),
  at("screen of a profile's words", `/search/${id}.data?tab=texts`),
  at("profile in apps", `/api/v1/accounts/${decimalOf(id)}/statuses`, apps),
];

function ofPost(world: World, post: Post): Place[] {
  const { username } = memberAt(world, post.author);
  const path = `/api/posts/${username}/${post.number}`;
  const decimal = decimalOf(post.id);
  return [
    at("post", path, { post }),
    at("comments", `${path}/comments`),
    at("alt suggestions", `${path}/alt-suggestions`, members),
    at("earlier versions", `${path}/versions`, members),
    at("documented comments", `/api/comments/${username}/${post.number}`),
    at("screen of a post", `/post/${username}/${post.number}.data`, { post }),
    at("document of a post", `/post/${username}/${post.number}`, { post }),
    at("post in apps", `/api/v1/statuses/${decimal}`, { ...apps, post }),
    ...(post.photo
      ? [at("file of a photo", `/images/${post.photo}/96.webp`, { post, file: true })]
      : []),
    at("thread in apps", `/api/v1/statuses/${decimal}/context`, apps),
  ];
}

export const placesOf = (world: World): Place[] => [
  ...lists(world),
  ...world.members.flatMap(ofMember),
  ...world.state.posts.flatMap((post) => ofPost(world, post)),
];

/** What each post is known by wherever it shows: its words, its photo, the words under it. */
const marksOf = ({ words, photo, comments }: Post): string[] => [
  words,
  ...(photo ? [photo] : []),
  ...comments.map((comment) => comment.words),
];

/** Requests of everybody who can ask, in one world: cookies for pages and calls, tokens for apps. */
export function asksOf({ app, call, features }: App) {
  const tokens = new Map<string, { authorization: string }>();

  async function tokenOf(viewer: Viewer) {
    const headers = tokens.get(viewer.id) ?? (await connectedApp(features, viewer)).headers;
    tokens.set(viewer.id, headers);
    return headers;
  }

  return async (viewer: Viewer | null, { url, post, ...by }: Place): Promise<string> => {
    const answer = by.app
      ? await app.inject({ url, headers: viewer ? await tokenOf(viewer) : {} })
      : await call(viewer, "GET", url);
    if (!by.file) return answer.body;
    return answer.statusCode === 200 ? (post?.words ?? "") : "";
  };
}

/** What went wrong in one world, as sentences, and which kinds of places showed something. */
export async function lookEverywhere(world: World, ask: ReturnType<typeof asksOf>) {
  const wrong: string[] = [];
  const showed = new Set<string>();
  const look = async (who: Who, place: Place) => {
    const body = await ask(viewerAt(world, who), place);
    for (const post of world.state.posts) {
      const found = marksOf(post).filter((mark) => body.includes(mark));
      if (found.length > 0) showed.add(place.kind);
      const may = maySee(world.state, who, post);
      const said = `${place.url} for ${who ?? "a visitor"}: ${post.audience} by ${post.author}`;
      if (found.length > 0 && !may) wrong.push(`shows ${found.join()} at ${said}`);
      if (place.post === post && may !== body.includes(post.words)) {
        wrong.push(`${may ? "lacks" : "shows"} the post at ${said}`);
      }
    }
  };
  for (const place of placesOf(world)) {
    for (const who of askers(world)) {
      if (who !== null || !place.signedIn) await look(who, place);
    }
  }
  return { wrong, showed };
}
