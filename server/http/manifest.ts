import type { FastifyInstance } from "fastify";
import type { Site } from "#server/features/operator/index.ts";

/** What a phone shows about an installed app; the rest of the manifest is the same everywhere. */
const manifest = {
  id: "/",
  start_url: "/",
  scope: "/",
  display: "standalone",
  background_color: "#f3efe7",
  theme_color: "#f3efe7",
  icons: [
    { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
    { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
    { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
    { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
  ],
};

/** The app's manifest, with the site's name that the operator chose. */
export function manifestRoutes({ site }: { site: () => Promise<Site> }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/manifest.webmanifest", async (_request, reply) => {
      const { name, line } = await site();
      void reply
        .header("Cache-Control", "public, max-age=3600")
        .type("application/manifest+json; charset=utf-8");
      return JSON.stringify({
        name,
        short_name: name,
        description: line || undefined,
        ...manifest,
      });
    });
  };
}
