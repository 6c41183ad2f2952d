import type {
  AccountSummary,
  CommentView,
  FeedPost,
  Page,
  PictureView,
  PostKind,
  PostTile,
  PostView,
  ProfileView,
  Viewer,
} from "#shared/views.ts";

export type ClientInfo = { ip: string; userAgent: string; cookieHeader: string };
export type PostRef = { authorId: string; postId: string };
type Counts = ProfileView["counts"];

/** The product's rules, as both faces (screens and programs) call them. */
export type Features = {
  accounts: {
    findByAddress: (address: string) => Promise<{ id: string; username: string } | null>;
    findById: (id: string) => Promise<{ id: string; username: string } | null>;
  };
  identity: {
    signUp: (input: {
      email: string;
      password: string;
      firstName: string;
      secondName: string;
      picture: ReceivedUpload | null;
      client: ClientInfo;
    }) => Promise<{ viewer: Viewer; cookies: string[] }>;
    signIn: (input: {
      email: string;
      password: string;
      client: ClientInfo;
    }) => Promise<{ viewer: Viewer; cookies: string[] }>;
    signOut: (headers: RequestHeaders) => Promise<{ cookies: string[] }>;
    viewerOf: (headers: RequestHeaders) => Promise<Viewer | null>;
    /** Set-Cookie values that prolong the cookie of a member just looked up; empty on most requests */
    renewedCookies: (viewer: Viewer | null) => string[];
  };
  images: {
    upload: (
      viewer: Viewer,
      file: ReceivedUpload,
    ) => Promise<{ imageId: string; picture: PictureView }>;
  };
  posts: {
    publish: (
      viewer: Viewer,
      input: {
        caption: string;
        pictures: { imageId: string; alt: string }[];
        timeZone: string;
        clientKey: string | null;
      },
    ) => Promise<{ id: string; number: number }>;
    get: (viewer: Viewer | null, address: string, number: number) => Promise<FeedPost | null>;
    photosOf: (
      viewer: Viewer | null,
      accountId: string,
      cursor: string | null,
    ) => Promise<Page<PostTile>>;
    textsOf: (
      viewer: Viewer | null,
      accountId: string,
      cursor: string | null,
    ) => Promise<Page<PostView>>;
    remove: (viewer: Viewer, address: string, number: number) => Promise<void>;
  };
  follows: {
    follow: (viewer: Viewer, accountId: string) => Promise<{ following: boolean; counts: Counts }>;
    unfollow: (
      viewer: Viewer,
      accountId: string,
    ) => Promise<{ following: boolean; counts: Counts }>;
    followers: (
      viewer: Viewer | null,
      accountId: string,
      cursor: string | null,
    ) => Promise<Page<AccountSummary & { following: boolean }>>;
    following: (
      viewer: Viewer | null,
      accountId: string,
      cursor: string | null,
    ) => Promise<Page<AccountSummary & { following: boolean }>>;
  };
  likes: {
    like: (viewer: Viewer, post: PostRef) => Promise<{ liked: boolean; likeCount: number }>;
    unlike: (viewer: Viewer, post: PostRef) => Promise<{ liked: boolean; likeCount: number }>;
  };
  comments: {
    add: (
      viewer: Viewer,
      post: PostRef,
      body: string,
      clientKey: string | null,
    ) => Promise<CommentView>;
    list: (
      viewer: Viewer | null,
      post: PostRef,
      cursor: string | null,
    ) => Promise<Page<CommentView>>;
    remove: (viewer: Viewer, post: PostRef, commentId: string) => Promise<void>;
  };
  bookmarks: {
    save: (viewer: Viewer, post: PostRef) => Promise<{ saved: boolean }>;
    unsave: (viewer: Viewer, post: PostRef) => Promise<{ saved: boolean }>;
    list: (viewer: Viewer, kind: PostKind, cursor: string | null) => Promise<Page<PostView>>;
  };
  feed: {
    home: (viewer: Viewer, cursor: string | null) => Promise<Page<FeedPost>>;
    suggestions: (viewer: Viewer) => Promise<AccountSummary[]>;
  };
  search: {
    accounts: (
      viewer: Viewer | null,
      query: string,
      cursor: string | null,
    ) => Promise<Page<AccountSummary>>;
  };
  profiles: { get: (viewer: Viewer | null, accountId: string) => Promise<ProfileView | null> };
};

export type RequestHeaders = { cookie?: string | undefined; authorization?: string | undefined };

/** A file of a form, streamed to disk: see server/api/multipart.ts. */
export type ReceivedUpload = { path: string; bytes: number; filename: string; mediaType: string };
