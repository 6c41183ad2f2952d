import { albumAudiences, type AlbumAudience, type AlbumRole } from "#shared/albums.ts";
import { audiences, type Audience, type ShownAudience } from "#shared/posts.ts";

/** A member by their place among the members of a history; null: a visitor. */
export type Who = number | null;

export type Comment = {
  id: string;
  writer: number;
  rootId: string | null;
  /** found in no other text */
  words: string;
};
export type Album = {
  id: string;
  owner: number;
  audience: AlbumAudience;
  members: Map<number, AlbumRole>;
  /** who lets links for guests show their photos */
  shownToGuests: Set<number>;
  /** in their order by hand */
  items: Post[];
};
/** A link for guests to an album, as its owner confirmed it. */
export type AlbumLink = {
  id: string;
  cookie: string;
  album: Album;
  albumAudience: AlbumAudience;
  audience: Audience;
};
export type Post = {
  author: number;
  id: string;
  number: number;
  audience: ShownAudience;
  /** what it is for, with the audience `album` */
  album: Album | null;
  /** found in no other text */
  words: string;
  /** the key of its photo; null: it is of words */
  photo: string | null;
  /** it is in no feed */
  imported: boolean;
  likes: Set<number>;
  saves: Set<number>;
  /** who suggested a description of its photo */
  describers: Set<number>;
  comments: Comment[];
};

/** What was done, as far as it decides who sees what. A pair is written "who>whom". */
export type State = {
  posts: Post[];
  albums: Album[];
  links: AlbumLink[];
  follows: Set<string>;
  requests: Set<string>;
  /** "owner>friend" */
  close: Set<string>;
  blocks: Set<string>;
  mutes: Set<string>;
  isPrivate: Set<number>;
  suspended: Set<number>;
  deleted: Set<number>;
  /** the number of each member's last post, deleted or not */
  lastNumbers: number[];
};

export const pair = (one: Who, other: Who) => `${one}>${other}`;

const pairs = () => new Set<string>();
const members = () => new Set<number>();

export function freshState(): State {
  return {
    posts: [],
    albums: [],
    links: [],
    follows: pairs(),
    requests: pairs(),
    close: pairs(),
    blocks: pairs(),
    mutes: pairs(),
    isPrivate: members(),
    suspended: members(),
    deleted: members(),
    lastNumbers: [],
  };
}

/** Neither suspended nor deleted. */
export const isActive = ({ suspended, deleted }: State, who: number): boolean =>
  !suspended.has(who) && !deleted.has(who);

/** Whether somebody may see anything of a member: themselves, or they are active and no block is between them. */
export function mayMeet(state: State, viewer: Who, other: number): boolean {
  const { blocks } = state;
  if (!isActive(state, other)) return false;
  return !blocks.has(pair(viewer, other)) && !blocks.has(pair(other, viewer));
}

/** For whom it is while its author's account is as it is. */
const effective = ({ isPrivate }: State, { author, audience }: Post): ShownAudience =>
  audience === "everyone" && isPrivate.has(author) ? "followers" : audience;

/** The rule. It knows nothing of how the product decides it. */
export function maySee(state: State, viewer: Who, post: Post): boolean {
  const { author } = post;
  if (viewer === author) return true;
  if (!mayMeet(state, viewer, author)) return false;
  if (post.album) return mayOpen(state, viewer, post.album);
  const follows = state.follows.has(pair(viewer, author));
  const audience = effective(state, post);
  if (audience === "everyone") return true;
  if (audience === "followers") return follows;
  const isClose = state.close.has(pair(author, viewer));
  return audience === "close-friends" && isClose && (follows || !state.isPrivate.has(author));
}

/** The rule for an album. */
export function mayOpen(state: State, viewer: Who, { owner, audience, members: inIt }: Album) {
  if (!mayMeet(state, viewer, owner)) return false;
  if (viewer === owner || (viewer !== null && inIt.has(viewer))) return true;
  if (audience === "everyone" && !state.isPrivate.has(owner)) return true;
  return audience !== "members" && state.follows.has(pair(viewer, owner));
}

/** Whether an album is for as many as the maker of a link to it confirmed. */
const isConfirmed = (
  { isPrivate }: State,
  { owner, audience }: Album,
  confirmed: AlbumAudience,
): boolean =>
  albumAudiences.indexOf(audience) >= albumAudiences.indexOf(confirmed) &&
  !(confirmed === "everyone" && isPrivate.has(owner));

/** What guests see by a link: its maker's as confirmed, and of others what each of them allows. */
export function shownToGuests(state: State, { album, ...confirmed }: AlbumLink): Post[] {
  const { owner } = album;
  if (!state.albums.includes(album) || !isActive(state, owner)) return [];
  if (!isConfirmed(state, album, confirmed.albumAudience)) return [];
  const { audience: least } = confirmed;
  const wide = audiences.slice(0, audiences.indexOf(least) + 1) as ShownAudience[];
  return album.items.filter((post) => {
    if (!isActive(state, post.author)) return false;
    if (post.author !== owner) {
      if (!album.shownToGuests.has(post.author)) return false;
      return post.album === album || isForEveryone(state, post);
    }
    const closed = least === "everyone" && state.isPrivate.has(owner);
    return post.album === album || (wide.includes(post.audience) && !closed);
  });
}

/** Whoever is no longer in an album takes their posts along. */
export function leaveAlbum(state: State, album: Album, who: number): void {
  if (!album.members.delete(who)) return;
  album.shownToGuests.delete(who);
  album.items = album.items.filter(({ author }) => author !== who);
  loseAlbum(state.posts.filter((post) => post.album === album && post.author === who));
}

/** What loses its album is for its author alone. */
export function loseAlbum(posts: readonly Post[]): void {
  for (const post of posts) Object.assign(post, { album: null, audience: "only-me" });
}

export const isForEveryone = (state: State, post: Post) => effective(state, post) === "everyone";

/** Whether somebody may read whom a member follows and who follows them. */
export const opensLists = ({ isPrivate, follows }: State, viewer: Who, owner: number) =>
  viewer === owner || !isPrivate.has(owner) || follows.has(pair(viewer, owner));

/** What a viewer is to the author of a post: for counting what a history reached. */
export function relationOf(state: State, viewer: Who, { author }: Post): string {
  if (viewer === null) return "visitor";
  if (viewer === author) return "author";
  if (!mayMeet(state, viewer, author)) return "kept out";
  const follows = state.follows.has(pair(viewer, author));
  const isClose = state.close.has(pair(author, viewer));
  return isClose ? (follows ? "close follower" : "close") : follows ? "follower" : "stranger";
}
