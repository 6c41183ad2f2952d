import type { FastifyInstance } from "fastify";
import type { Site } from "#server/features/operator/index.ts";

/** What a phone shows of an installed app; the rest of it is the same everywhere. */
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

/** The app's manifest, under the name that the operator gave this place. */
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
