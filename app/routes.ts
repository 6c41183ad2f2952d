import { route, type RouteConfig } from "@react-router/dev/routes";

/** Every address of the product, in the specification's order; matched without regard to case. */
export default [
  route("signIn", "screens/sign-in.tsx"),
  route("signUp", "screens/sign-up.tsx"),
  route("signOut", "screens/sign-out.tsx"),
  route("notifications", "screens/notifications.tsx"),
  route("chat", "screens/chats.tsx"),
  route("saved", "screens/saved.tsx"),
  route("settings", "screens/settings.tsx"),
  route("*", "screens/not-found.tsx"),
] satisfies RouteConfig;
