import { createHash, randomBytes } from "node:crypto";
import type { Features } from "#server/features/index.ts";
import type { Viewer } from "#shared/views.ts";

export const redirectUri = "https://app.example/back";

/** An app that a member authorized: its token, and its registration. */
export async function connectedApp(
  { apps }: Pick<Features, "apps">,
  viewer: Viewer,
  scope = "read write follow push",
) {
  const typed = { name: "Paper Plane", website: "", redirectUris: [redirectUri], scopes: scope };
  const app = await apps.register(typed, "a network");
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const asked = {
    clientId: app.clientId,
    redirectUri,
    scope,
    responseType: "code",
    challenge,
    challengeMethod: "S256",
  };
  const code = await apps.allow(viewer, asked);
  const { token } = await apps.exchange(app, { code, redirectUri, verifier });
  return { ...app, token, headers: { authorization: `Bearer ${token}` } };
}
