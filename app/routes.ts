import { index, route, type RouteConfig } from "@react-router/dev/routes";

/**
 * Every address of the product, in the specification's order; matched without regard to case.
 * The last ones are what the screens' scripts call, and the page for everything unknown.
 */
export default [
  index("screens/home.tsx"),
  route("signIn", "screens/sign-in.tsx"),
  route("signUp", "screens/sign-up.tsx"),
  route("search", "screens/search.tsx"),
  route("search/:id", "screens/account.tsx"),
  route("post/:address/:number", "screens/post.tsx"),
  route("notifications", "screens/notifications.tsx"),
  route("chat", "screens/chats.tsx"),
  route("chat/:chatId", "screens/chat.tsx"),
  route("saved", "screens/saved.tsx"),
  route("profile", "screens/profile.tsx"),
  route("profile/edit", "screens/edit-profile.tsx"),
  route("profile/followers/:id", "screens/followers.tsx"),
  route("profile/following/:id", "screens/following.tsx"),
  route("settings", "screens/settings.tsx"),
  route("settings/data", "screens/data.tsx"),
  route("upload", "screens/upload.tsx"),
  route("signOut", "screens/sign-out.tsx"),
  route("goodbye", "screens/goodbye.tsx"),
  route("keepAccount", "screens/keep-account.tsx"),
  route("post/:address/:number/delete", "screens/delete-post.tsx"),
  route("post/:address/:number/comments/:comment/delete", "screens/delete-comment.tsx"),
  route("follow/:id", "screens/follow.tsx"),
  route("calls/follow", "calls/follow.ts"),
  route("calls/like", "calls/like.ts"),
  route("calls/save", "calls/save.ts"),
  route("calls/comment", "calls/comment.ts"),
  route("calls/delete-comment", "calls/delete-comment.ts"),
  route("calls/publish", "calls/publish.ts"),
  route("calls/delete-post", "calls/delete-post.ts"),
  route("calls/newer", "calls/newer.ts"),
  route("calls/edit-profile", "calls/edit-profile.ts"),
  route("calls/import", "calls/import.ts"),
  route("calls/settings", "calls/settings.ts"),
  route("calls/older/:list", "calls/older.ts"),
  route("*", "screens/not-found.tsx"),
] satisfies RouteConfig;
