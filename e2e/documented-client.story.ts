import { randomUUID } from "node:crypto";
import { describedAt, type Compare } from "./support/openapi.ts";
import { plainPhoto } from "./support/photos.ts";
import { expect, test } from "./support/stories.ts";

/*
 * A client of the documented calls, written from the specification's sections 3, 4 and 7: it knows the base
 * address and its calls, and nothing about the server's implementation. It keeps copies, changes them and
 * sends them back whole, as the specification's own client does.
 */

type Post = {
  postId: number;
  caption: string;
  uploadImg?: string;
  currentDate: number;
  currentMonth: number;
  currentYear: number;
  currentHours: string;
  likes: number;
  likeAccounts: string[];
  author: string;
  time: number;
};

type User = {
  _id: string;
  email: string;
  image: string;
  fName: string;
  sName: string;
  fullName: string;
  bio: string;
  followers: number;
  following: number;
  postsCount: number;
  idParam: number;
  followerAccounts: string[];
  followingAccounts: string[];
  posts: Post[];
  bookMarks: Post[];
};

type Comment = {
  _id: string;
  comment: string;
  commentAccount: string;
  commentImg: string;
  commentName: string;
  author: string;
  postId: number;
  commentId: string;
};

type Person = { email: string; password: string; fName: string; sName: string };

const folded = (text: string) => text.toLowerCase().replaceAll(/\s/g, "");

function client(base: string, compare: Compare) {
  let token = "";
  let email = "";

  async function ask(method: string, path: string, body?: object | FormData) {
    const headers: Record<string, string> = {};
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body && !(body instanceof FormData)) headers["Content-Type"] = "application/json";
    const payload = body instanceof FormData ? body : body && JSON.stringify(body);
    const asked = { method, path: `/api${path}` };
    const answer = await fetch(base + asked.path, {
      method,
      headers,
      ...(payload && { body: payload }),
    });
    expect(await compare(asked, answer)).toBeNull();
    return answer;
  }

  /** Success is status 200 to 299. */
  async function call<Answer>(method: string, path: string, body?: object | FormData) {
    const answer = await ask(method, path, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return (text ? JSON.parse(text) : null) as Answer;
  }

  async function sendImage(colour: string): Promise<string> {
    const photo = await plainPhoto(colour);
    const form = new FormData();
    form.set("image", new Blob([new Uint8Array(photo.buffer)]), photo.name);
    const { data } = await call<{ data: { display_url: string } }>("POST", "/images", form);
    return data.display_url;
  }

  async function register(person: Person): Promise<void> {
    const image = await sendImage("#356");
    const { fName, sName } = person;
    const lists = { followerAccounts: [], followingAccounts: [], posts: [], bookMarks: [] };
    const counters = { followers: 0, following: 0, postsCount: 0, idParam: 0 };
    const user = { ...person, image, fullName: `${fName} ${sName}`, ...counters, ...lists };
    await call("POST", "/users", user);
    await signIn(person);
  }

  async function signIn(person: Person): Promise<void> {
    ({ email } = person);
    const { password } = person;
    ({ token } = await call<{ token: string }>("POST", "/session", { email, password }));
  }

  async function signOut(): Promise<void> {
    await call("DELETE", "/session");
    token = "";
  }

  const userAt = (address: string) => call<User>("GET", `/users/${encodeURIComponent(address)}`);
  const me = () => call<User>("GET", `/users/email/${encodeURIComponent(email)}`);

  async function everybody(): Promise<User[]> {
    const users: User[] = [];
    let path: string | null = "/users";
    while (path) {
      const answer: Response = await ask("GET", path);
      users.push(...((await answer.json()) as User[]));
      const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "");
      path = next?.[1] ? next[1].slice(next[1].indexOf("/api") + 4) : null;
    }
    return users;
  }

  /** Matching on full name ignores case and spaces; on email it is a case-sensitive substring. */
  async function search(typed: string): Promise<User[]> {
    return (await everybody()).filter((user) => {
      return folded(user.fullName).includes(folded(typed)) || user.email.includes(typed);
    });
  }

  async function publish(caption: string, uploadImg?: string): Promise<void> {
    const { postsCount, idParam, posts, email: author } = await me();
    const now = new Date();
    const post: Post = {
      postId: idParam + 1,
      caption,
      ...(uploadImg && { uploadImg }),
      currentDate: now.getDate(),
      currentMonth: now.getMonth() + 1,
      currentYear: now.getFullYear(),
      currentHours: now
        .toLocaleString("en-US", { hour: "numeric", minute: "2-digit", hour12: true })
        .replace(/\s/u, " ")
        .toLowerCase(),
      likes: 0,
      likeAccounts: [],
      author,
      time: now.getTime(),
    };
    const sent = { postsCount: postsCount + 1, idParam: idParam + 1, posts: [...posts, post] };
    await call("PUT", `/users/upload/${email}`, sent);
  }

  /** The target's followers first, then the caller's own following. */
  async function setFollow(target: User, follows: boolean): Promise<void> {
    const changed = (list: string[], entry: string) =>
      follows ? [...list, entry] : list.filter((one) => one !== entry);
    const { followerAccounts, followers } = await userAt(target.email);
    await call("PUT", `/users/${target.email}`, {
      followers: followers + (follows ? 1 : -1),
      followerAccounts: changed(followerAccounts, email),
    });
    const { followingAccounts, following } = await me();
    const now = followingAccounts.includes(target.email) === follows;
    await call("PUT", `/users/${email}`, {
      following: now ? following : following + (follows ? 1 : -1),
      followingAccounts: now ? followingAccounts : changed(followingAccounts, target.email),
    });
  }

  async function feed(): Promise<Post[]> {
    const { followingAccounts } = await me();
    const users = await Promise.all(followingAccounts.map(userAt));
    return users.flatMap(({ posts }) => posts).sort((a, b) => b.time - a.time);
  }

  async function toggleLike(post: Post): Promise<void> {
    const { posts } = await userAt(post.author);
    const changed = posts.map((one) => {
      if (one.postId !== post.postId) return one;
      const liked = one.likeAccounts.includes(email);
      return {
        ...one,
        likes: one.likes + (liked ? -1 : 1),
        likeAccounts: liked
          ? one.likeAccounts.filter((account) => account !== email)
          : [...one.likeAccounts, email],
      };
    });
    await call("PUT", `/post/update/${post.author}`, { posts: changed });
  }

  /** The list is fetched fresh, the post added or removed, and the list written back. */
  async function toggleSave(post: Post): Promise<void> {
    const { bookMarks } = await me();
    const rest = bookMarks.filter((one) => {
      return one.author !== post.author || one.postId !== post.postId;
    });
    const changed = rest.length < bookMarks.length ? rest : [...bookMarks, post];
    await call("PUT", `/bookMark/${email}`, { bookMarks: changed });
  }

  async function comment(post: Post, text: string): Promise<void> {
    const { image, fullName } = await me();
    await call("POST", "/comments", {
      comment: text,
      commentAccount: email,
      commentImg: image,
      commentName: fullName,
      author: post.author,
      postId: post.postId,
      commentId: `${post.author}${post.postId}`,
    });
  }

  const commentsOf = ({ author, postId }: Post) =>
    call<Comment[]>("GET", `/comments/${author}/${postId}`);

  async function edit(fields: { fName: string; sName: string; bio?: string; image?: string }) {
    const { _id } = await me();
    const fullName = `${fields.fName} ${fields.sName}`;
    return call<{ matchedCount: number }>("PUT", `/users/edit/${_id}`, { ...fields, fullName });
  }

  /** From the list, its comments, its bookmarks: in this order. */
  async function remove(post: Post): Promise<void> {
    const { posts, idParam, followerAccounts } = await me();
    const rest = posts.filter(({ postId }) => postId !== post.postId);
    await call("PUT", `/users/upload/${email}`, { postsCount: rest.length, idParam, posts: rest });
    await call("DELETE", `/comments/${email}${post.postId}`);
    await call("PUT", `/delete/bookMark/${email}/${post.postId}`, { followerAccounts, post });
  }

  const chatWith = (other: User) =>
    call<{ chatId: string; user1: string; user2: string; messages: unknown[] }>(
      "GET",
      `/chats/${email}${other.email}`,
    );

  return {
    ask,
    register,
    signIn,
    signOut,
    me,
    userAt,
    search,
    sendImage,
    publish,
    setFollow,
    feed,
    toggleLike,
    toggleSave,
    comment,
    commentsOf,
    edit,
    remove,
    chatWith,
  };
}

function somebody(fName: string): Person {
  const email = `${fName}.${randomUUID()}@example.org`;
  return { email, password: `${randomUUID()}!Aa`, fName, sName: randomUUID().slice(0, 8) };
}

test("a client of the documented calls walks the whole life: register, post, follow, like, comment, save, search, edit, delete", async ({
  postcard,
}) => {
  const compare = await describedAt(postcard);
  const [ada, bob] = [client(postcard, compare), client(postcard, compare)];
  const [adas, bobs] = [somebody("Ada"), somebody("Bob")];
  await ada.register(adas);
  await bob.register(bobs);
  await ada.signOut();
  expect((await ada.ask("PUT", `/bookMark/${adas.email}`, { bookMarks: [] })).status).toBe(401);
  await expect(ada.signIn({ ...adas, password: "something else" })).rejects.toThrow("401");
  await ada.signIn(adas);
  expect(await ada.me()).toMatchObject({
    email: adas.email,
    fName: "Ada",
    sName: adas.sName,
    fullName: `Ada ${adas.sName}`,
    postsCount: 0,
    posts: [],
    bookMarks: [],
  });
  const { image } = await ada.me();
  expect((await fetch(image)).headers.get("content-type")).toBe("image/webp");

  await ada.publish("A photo", await ada.sendImage("#a42"));
  await ada.publish("Words alone");
  const own = await ada.me();
  expect(own).toMatchObject({ postsCount: 2, idParam: 2 });
  expect(own.posts.map(({ postId, author }) => [postId, author])).toEqual([
    [1, adas.email],
    [2, adas.email],
  ]);
  expect((await fetch(own.posts[0]?.uploadImg ?? "")).status).toBe(200);
  expect(own.posts[1]).not.toHaveProperty("uploadImg");

  const found = await bob.search(`ADA${adas.sName.slice(0, 6)}`);
  expect(found).toHaveLength(1);
  const [shown] = found as [User];
  expect(shown._id).toBe(own._id);
  expect(JSON.stringify(shown)).not.toContain(adas.email);
  await bob.setFollow(shown, true);
  expect(await bob.userAt(shown.email)).toMatchObject({ followers: 1 });
  expect((await ada.me()).followerAccounts).toHaveLength(1);

  const feed = await bob.feed();
  expect(feed.map(({ caption }) => caption)).toEqual(["Words alone", "A photo"]);
  const [words, photo] = feed as [Post, Post];
  for (const likes of [1, 0, 1]) {
    await bob.toggleLike(photo);
    expect((await bob.userAt(shown.email)).posts[0]?.likes).toBe(likes);
  }
  expect((await bob.userAt(shown.email)).posts[0]?.likeAccounts).toEqual([bobs.email]);

  await bob.comment(photo, "Lovely");
  await ada.comment({ ...photo, author: adas.email }, "Thank you");
  expect((await bob.commentsOf(photo)).map(({ comment }) => comment)).toEqual([
    "Lovely",
    "Thank you",
  ]);

  await bob.toggleSave(photo);
  await bob.toggleSave(words);
  await bob.toggleSave(words);
  expect((await bob.me()).bookMarks).toEqual([
    expect.objectContaining({ caption: "A photo", author: shown.email, likes: 1 }),
  ]);

  const names = { fName: "Augusta", sName: adas.sName };
  const picture = await ada.sendImage("#2a4");
  expect((await ada.edit({ ...names, bio: "Numbers.", image: picture })).matchedCount).toBe(1);
  expect(await bob.userAt(shown.email)).toMatchObject({
    fullName: `Augusta ${adas.sName}`,
    bio: "Numbers.",
  });
  expect((await bob.commentsOf(photo))[1]?.commentName).toBe(`Augusta ${adas.sName}`);

  const bobsId = (await bob.me())._id;
  const foreign = { fName: "Taken", sName: "Over" };
  expect((await ada.ask("PUT", `/users/edit/${bobsId}`, foreign)).status).toBe(403);

  await ada.setFollow(await ada.userAt(bobs.email), true);
  expect(await bob.chatWith(shown)).toMatchObject({ user1: bobs.email, user2: shown.email });
  const visitor = client(postcard, compare);
  expect((await visitor.ask("GET", `/chats/${bobs.email}${shown.email}`)).status).toBe(401);

  await ada.remove(own.posts[0] as Post);
  expect(await ada.me()).toMatchObject({ postsCount: 1, idParam: 2, posts: [{ postId: 2 }] });
  expect((await bob.me()).bookMarks).toEqual([]);
  expect((await bob.ask("GET", `/comments/${shown.email}/1`)).status).toBe(404);
  expect((await bob.feed()).map(({ caption }) => caption)).toEqual(["Words alone"]);

  await bob.setFollow(shown, false);
  expect(await bob.me()).toMatchObject({ following: 0, followers: 1 });
  expect(await ada.me()).toMatchObject({ following: 1, followers: 0 });
});
