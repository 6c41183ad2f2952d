import { newId } from "#server/platform/db/ids.ts";
import { archiveFiles, archivesOf } from "#server/test/archives.ts";
import { allowed, type Act } from "#server/test/audiences/act.ts";
import { maySee, mayMeet, type Post, type State } from "#server/test/audiences/oracle.ts";
import { memberAt, refOf, uploadPhoto, type World } from "#server/test/audiences/world.ts";
import { query } from "#server/test/query.ts";
import { audiences, type Audience } from "#shared/posts.ts";

/** A text that is found nowhere else. */
export const unique = (of: string) => `${of}${newId().replaceAll("-", "")}`;
const postAt = ({ state: { posts } }: World, pick: number): Post | undefined =>
  posts[pick % Math.max(1, posts.length)];
const audienceAt = (pick: number): Audience => audiences[pick % audiences.length] ?? "only-me";

export function adds(
  state: State,
  author: number,
  made: Pick<Post, "id" | "number" | "audience" | "words" | "photo"> &
    Partial<Pick<Post, "album" | "imported">>,
): Post {
  const sets = {
    likes: new Set<number>(),
    saves: new Set<number>(),
    describers: new Set<number>(),
  };
  const post = { author, album: null, imported: false, ...made, ...sets, comments: [] };
  state.posts.push(post);
  state.lastNumbers[author] = made.number;
  return post;
}

const ofOnesOwn: Record<string, Act> = {
  post: async (world, { by, whom, pick }) => {
    const audience = audienceAt(pick);
    const author = memberAt(world, by);
    const photo = pick % 3 > 0 ? await uploadPhoto(world, author) : null;
    const pictures = photo ? [{ imageId: photo.id, alt: "" }] : [];
    const words = unique("post");
    const caption = `${words} #${world.tag} @${memberAt(world, whom).username}`;
    const made = await world.on.publish(author, { caption, pictures, audience });
    const { postId: id, number } = made;
    adds(world.state, by, { id, number, audience, words, photo: photo?.key ?? null });
  },
  "change the audience": async (world, { by, pick }) => {
    const own = world.state.posts.filter(({ author }) => author === by);
    const post = own[pick % Math.max(1, own.length)];
    if (!post) return;
    const audience = audienceAt(pick >> 2);
    const { username } = memberAt(world, by);
    const viewer = memberAt(world, by);
    const read = await world.on.posts.get(viewer, username, post.number);
    const version = read?.version ?? 0;
    await world.on.posts.edit(viewer, username, post.number, { version, audience });
    Object.assign(post, { audience, album: null });
  },
  "delete a post": async (world, { by, pick }) => {
    const own = world.state.posts.filter(({ author }) => author === by);
    const post = own[pick % Math.max(1, own.length)];
    if (!post || pick % 3 > 0) return;
    const viewer = memberAt(world, by);
    await world.on.posts.remove(viewer, viewer.username, post.number);
    world.state.posts = world.state.posts.filter((one) => one !== post);
    for (const album of world.state.albums) {
      album.items = album.items.filter((one) => one !== post);
    }
  },
  import: async (world, { by, pick }) => {
    // rare: each is unpacked by a thread
    if (pick % 4 > 0) return;
    const audience = pick % 8 === 0 ? audienceAt(pick >> 3) : "people of the future";
    const archives = archivesOf(world.on);
    const post = { id: newId(), number: 1, time: Date.now() - 1000, pictures: [], audience };
    const words = unique("imported");
    const author = memberAt(world, by);
    // Due a minute after a post was narrowed: a photo without files has none to copy.
    if (!world.files) {
      await query(world.on.db, "delete from pgboss.job where name = 'new-picture-keys'");
    }
    const caption = `${words} #${world.tag}`;
    await archives.imported(author, await archives.zipOf(archiveFiles([{ ...post, caption }])));
    const [made] = await query<{ id: string; number: number }>(
      world.on.db,
      "select id, number from posts where author_id = $1 order by number desc limit 1",
      [author.id],
    );
    if (!made) throw new Error("an imported post is not there");
    const retained = audiences.find((one) => one === audience) ?? "only-me";
    adds(world.state, by, { ...made, audience: retained, words, photo: null, imported: true });
  },
};

const underPosts: Record<string, Act> = {
  like: async (world, { by, pick }) => {
    const post = postAt(world, pick);
    if (!post) return;
    const like = () => world.on.likes.like(memberAt(world, by), refOf(world, post));
    if (await allowed(maySee(world.state, by, post), like)) post.likes.add(by);
  },
  bookmark: async (world, { by, pick }) => {
    const post = postAt(world, pick);
    if (!post) return;
    // Into a collection, which shows what the list of bookmarks does.
    const into = { collections: [], title: "Saved", clientKey: "saved" };
    const save = () =>
      world.on.collections.setOfPost(memberAt(world, by), refOf(world, post), into);
    if (await allowed(maySee(world.state, by, post), save)) post.saves.add(by);
  },
  describe: async (world, { by, pick }) => {
    const post = postAt(world, pick);
    if (!post?.photo || post.author === by) return;
    const suggestion = { key: post.photo, alt: "what it shows" };
    const { username } = memberAt(world, post.author);
    const suggest = () =>
      world.on.altSuggestions.suggest(memberAt(world, by), username, post.number, suggestion);
    if (await allowed(maySee(world.state, by, post), suggest)) post.describers.add(by);
  },
  comment: async (world, { by, whom, pick }) => {
    const post = postAt(world, pick);
    if (!post) return;
    const words = unique("comment");
    const body = `${words} @${memberAt(world, whom).username}`;
    const add = async () => {
      const { id } = await world.on.comments.add(
        memberAt(world, by),
        refOf(world, post),
        body,
        null,
      );
      post.comments.push({ id, writer: by, rootId: null, words });
    };
    await allowed(maySee(world.state, by, post), add);
  },
  reply: async (world, { by, pick }) => {
    const post = postAt(world, pick);
    const root = post?.comments.find(({ rootId }) => rootId === null);
    if (!post || !root) return;
    const { state } = world;
    const isShown = mayMeet(state, by, root.writer) && mayMeet(state, post.author, root.writer);
    const may = maySee(state, by, post) && isShown;
    const add = async () => {
      const words = unique("answer");
      const [member, ref] = [memberAt(world, by), refOf(world, post)];
      const { id } = await world.on.comments.add(member, ref, words, null, root.id);
      post.comments.push({ id, writer: by, rootId: root.id, words });
    };
    await allowed(may, add);
  },
};

export const postActs: Record<string, Act> = { ...ofOnesOwn, ...underPosts };
