import type { Act } from "#server/test/audiences/act.ts";
import {
  leaveAlbum,
  loseAlbum,
  mayMeet,
  mayOpen,
  maySee,
  pair,
  type Album,
  type State,
} from "#server/test/audiences/oracle.ts";
import { adds, unique } from "#server/test/audiences/post-acts.ts";
import { memberAt, uploadPhoto, type World } from "#server/test/audiences/world.ts";
import { albumAudiences, type AlbumAudience } from "#shared/albums.ts";

const audienceAt = (pick: number): AlbumAudience =>
  albumAudiences[pick % albumAudiences.length] ?? "members";
const albumAt = ({ state: { albums } }: World, pick: number): Album | undefined =>
  albums[pick % Math.max(1, albums.length)];
/** The same, mostly of those that somebody is in: in others little can be done. */
function ownAlbumAt({ state: { albums } }: World, by: number, pick: number): Album | undefined {
  const own = albums.filter(({ owner, members }) => owner === by || members.has(by));
  const some = own.length > 0 && pick % 4 > 0 ? own : albums;
  return some[(pick >> 2) % Math.max(1, some.length)];
}

/** What an attempt comes to: done, or the code of its refusal. */
const outcome = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "done",
    (error: unknown) => String((error as { code?: unknown }).code ?? error),
  );

/** True where it was done; what the rule says and what happened must be the same. */
async function expecting(expected: string, attempt: Promise<unknown>): Promise<boolean> {
  const came = await outcome(attempt);
  if (came !== expected) throw new Error(`it should have been ${expected}, and was ${came}`);
  return came === "done";
}

const ruleToAdd = (state: State, by: number, album: Album): string =>
  !mayOpen(state, by, album)
    ? "not-found"
    : album.owner === by || album.members.get(by) === "contributor"
      ? "done"
      : "not-contributor";
const ruleForOwner = (state: State, by: number, album: Album): string =>
  !mayOpen(state, by, album) ? "not-found" : album.owner === by ? "done" : "not-yours";

export const albumActs: Record<string, Act> = {
  "make an album": async ({ on, state, ...world }, { by, pick }) => {
    if (state.albums.length > 4) return;
    const audience = audienceAt(pick);
    const viewer = memberAt({ on, state, ...world }, by);
    const { id } = await on.albums.create(viewer, { title: unique("album"), audience });
    const none = { members: new Map(), shownToGuests: new Set<number>(), items: [] };
    state.albums.push({ id, owner: by, audience, ...none });
  },
  "invite into an album": async (world, { whom, pick }) => {
    const album = albumAt(world, pick);
    if (!album || album.owner === whom || !mayMeet(world.state, album.owner, whom)) return;
    const { on, state } = world;
    if (state.suspended.has(album.owner)) return;
    const owner = memberAt(world, album.owner);
    const role = pick % 3 > 0 ? "contributor" : "member";
    const known = album.members.has(whom) || state.follows.has(pair(whom, album.owner));
    const put = on.albumMembers.put(owner, album.id, memberAt(world, whom).username, role);
    if (await expecting(known ? "done" : "not-follower", put)) album.members.set(whom, role);
  },
  "add to an album": async (world, { by, pick }) => {
    const album = ownAlbumAt(world, by, pick);
    if (!album) return;
    const { on, state } = world;
    const author = memberAt(world, by);
    const photo = await uploadPhoto(world, author);
    const words = unique("photo");
    const caption = `${words} #${world.tag}`;
    const wanted = { imageId: photo.id, caption, clientKey: null };
    let made: { id: string; number: number } | undefined;
    const add = on.albums.addPhoto(author, album.id, wanted).then((shown) => (made = shown));
    if (!(await expecting(ruleToAdd(state, by, album), add)) || !made) return;
    const { id, number } = made;
    album.items.push(
      adds(state, by, { id, number, audience: "album", album, words, photo: photo.key }),
    );
  },
  "put into an album": async (world, { by, pick }) => {
    const album = ownAlbumAt(world, by, pick);
    const own = world.state.posts.filter((post) => post.author === by && post.photo && !post.album);
    const post = own[(pick >> 2) % Math.max(1, own.length)];
    if (!album || !post) return;
    const at = { address: memberAt(world, by).username, number: post.number };
    const put = world.on.albums.putPost(memberAt(world, by), album.id, at);
    if (!(await expecting(ruleToAdd(world.state, by, album), put))) return;
    if (!album.items.includes(post)) album.items.push(post);
  },
  "take out of an album": async (world, { by, pick }) => {
    const album = ownAlbumAt(world, by, pick);
    const post = album?.items[(pick >> 2) % Math.max(1, album.items.length)];
    if (!album || !post) return;
    const { on, state } = world;
    const may = mayOpen(state, by, album) && maySee(state, by, post);
    const rule = !may
      ? "not-found"
      : post.author === by || album.owner === by
        ? "done"
        : "not-yours";
    const at = { address: memberAt(world, post.author).username, number: post.number };
    if (!(await expecting(rule, on.albums.takeOut(memberAt(world, by), album.id, at)))) return;
    album.items = album.items.filter((one) => one !== post);
    if (post.album === album) loseAlbum([post]);
  },
  "change an album's audience": async (world, { by, pick }) => {
    const album = ownAlbumAt(world, by, pick);
    if (!album) return;
    const audience = audienceAt(pick >> 2);
    const edit = world.on.albums.edit(memberAt(world, by), album.id, { audience });
    if (await expecting(ruleForOwner(world.state, by, album), edit)) album.audience = audience;
  },
  "leave an album": async (world, { by, pick }) => {
    const album = ownAlbumAt(world, by, pick);
    if (!album) return;
    const { on, state } = world;
    const rule = mayOpen(state, by, album) && album.members.has(by) ? "done" : "not-found";
    const leave = on.albumMembers.leave(memberAt(world, by), album.id);
    if (await expecting(rule, leave)) leaveAlbum(state, album, by);
  },
  "let links show one's photos": async (world, { by, pick }) => {
    const album = ownAlbumAt(world, by, pick);
    if (!album) return;
    const { on, state } = world;
    const shown = pick % 3 > 0;
    const rule = mayOpen(state, by, album) && album.members.has(by) ? "done" : "not-found";
    const show = on.albumMembers.showToGuests(memberAt(world, by), album.id, shown);
    if (!(await expecting(rule, show))) return;
    if (shown) album.shownToGuests.add(by);
    else album.shownToGuests.delete(by);
  },
  "share an album with guests": async (world, { by, pick }) => {
    const { on, state } = world;
    const own = state.albums.filter(({ owner }) => owner === by);
    const album = own[pick % Math.max(1, own.length)];
    if (!album || state.links.length > 5) return;
    const albumAudience = pick % 5 > 1 ? "members" : audienceAt(pick >> 2);
    const audience = (["everyone", "followers", "close-friends"] as const)[pick % 3] ?? "everyone";
    const wanted = { kind: "album", album: album.id, albumAudience, audience } as const;
    let path = "";
    const make = on.sharedLinks
      .make(memberAt(world, by), wanted)
      .then(({ address }) => (path = new URL(address).pathname));
    // narrower may be confirmed than it is
    const { audience: has } = album;
    const needs = has === "everyone" && state.isPrivate.has(by) ? "followers" : has;
    const covers = albumAudiences.indexOf(albumAudience) <= albumAudiences.indexOf(needs);
    if (!(await expecting(covers ? "done" : "shared-link-audience", make))) return;
    const [, , token = ""] = path.split("/");
    const entered = await on.guests.enter(token, { ip: "192.0.2.1", cookieHeader: "" });
    const [cookie = ""] = entered.cookie.split(";");
    state.links.push({ id: entered.id, cookie, album, albumAudience, audience });
  },
  "end a link": async (world, { by, pick }) => {
    const { on, state } = world;
    const own = state.links.filter(
      ({ album }) => album.owner === by && state.albums.includes(album),
    );
    const link = own[pick % Math.max(1, own.length)];
    if (!link) return;
    await on.sharedLinks.end(memberAt(world, by), link.id);
    state.links = state.links.filter((one) => one !== link);
  },
  "delete an album": async (world, { by, pick }) => {
    const album = albumAt(world, pick);
    if (!album || pick % 3 > 0) return;
    const { on, state } = world;
    const remove = on.albums.remove(memberAt(world, by), album.id, "keep");
    if (!(await expecting(ruleForOwner(state, by, album), remove))) return;
    loseAlbum(state.posts.filter((post) => post.album === album));
    state.albums = state.albums.filter((one) => one !== album);
  },
};
