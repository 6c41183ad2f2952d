import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  // Elsewhere at first where a server goes on with the former build (scripts/lib/build.mjs).
  // oxlint-disable-next-line no-restricted-properties -- a setting of the build, none of the server's
  buildDirectory: process.env["POSTCARD_BUILD_INTO"] ?? "build",
  ssr: true,
  // A screen's code comes in one piece, so that it is lost, or comes later, as one (vite.config.ts).
  splitRouteModules: false,
} satisfies Config;
