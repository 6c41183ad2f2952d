import { index, route, type RouteConfig } from "@react-router/dev/routes";

/** Every address of the product that is a screen, and the calls that the screens' scripts make. */
export default [
  index("screens/home.tsx"),
  route("search", "screens/search.tsx"),
  route("search/:id", "screens/account.tsx"),
  route("post/:address/:number", "screens/post.tsx"),
  route("profile", "screens/profile.tsx"),
  route("profile/followers/:id", "screens/followers.tsx"),
  route("profile/following/:id", "screens/following.tsx"),
  route("upload", "screens/upload.tsx"),
  route("follow/:id", "screens/follow.tsx"),
  route("calls/follow", "calls/follow.ts"),
  route("calls/publish", "calls/publish.ts"),
  route("calls/older/:list", "calls/older.ts"),
] satisfies RouteConfig;
