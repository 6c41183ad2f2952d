import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import { isAppCall, isCall } from "#server/http/origin-guard.ts";

/**
 * Lets pages of these origins call /api from a browser, cookies included. Each is named exactly in
 * the answers it gets, never by a wildcard; every other origin gets no permission at all.
 */
export async function addCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    delegator: (request, done) => {
      const { origin = "" } = request.headers;
      done(null, {
        origin:
          isCall(request.url) && !isAppCall(request.url) && origins.includes(origin)
            ? origin
            : false,
        credentials: true,
        methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
        allowedHeaders: [
          "Authorization",
          "Content-Type",
          "Idempotency-Key",
          "If-Match",
          // for resumable uploads
          "Tus-Resumable",
          "Upload-Length",
          "Upload-Metadata",
          "Upload-Offset",
        ],
        exposedHeaders: [
          "ETag",
          "Idempotent-Replayed",
          "Link",
          "Location",
          "Retry-After",
          "Tus-Resumable",
          "Upload-Length",
          "Upload-Offset",
          "X-Request-Id",
        ],
        // seconds; browsers keep it two hours at most
        maxAge: 7200,
      });
    },
  });
}
