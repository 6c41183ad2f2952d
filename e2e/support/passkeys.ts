import type { Page } from "@playwright/test";

/** A phone or laptop with a finger on its sensor: Chromium's own virtual authenticator. */
export async function authenticatorOf(page: Page, { verifies = true } = {}) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: verifies,
      automaticPresenceSimulation: true,
    },
  });
  return { devtools, authenticatorId };
}

export const passkeysAddress = "/settings/security?change=passkeys";
export const passkeysSection = (page: Page) => page.getByRole("dialog", { name: "Passkeys" });

export async function addPasskey(page: Page, password: string, name = ""): Promise<void> {
  await page.goto(passkeysAddress);
  await passkeysSection(page).getByLabel("Name").fill(name);
  // Asked for once in a session.
  const asked = passkeysSection(page).getByLabel("Your password");
  if (await asked.isVisible()) await asked.fill(password);
  await passkeysSection(page).getByRole("button", { name: "Add a passkey" }).click();
}
