import { expect } from "@playwright/test";
import { linkIn, openMailbox, outboxOf, type Received } from "../../server/test/mailbox.ts";
import { startPostcard } from "./postcard-server.ts";
import { test as base } from "./stories.ts";

type MailFixture = {
  /** the mailbox's server, or null if emails become files */
  mail: { to: (address: string, subject: string) => Promise<string> };
};

/** Stories on a separate server that sends its mail to a real mailbox. */
export const withMailbox = base.extend<object, MailFixture & { mailServer: Stop }>({
  mailServer: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const mailbox = await openMailbox();
      const server = await startPostcard({ SMTP_URL: mailbox.url });
      await use({ ...server, received: mailbox.received });
      await server.stop();
      await mailbox.close();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  running: [({ mailServer }, use) => use(mailServer), { scope: "worker" }],
  mail: [
    ({ mailServer }, use) =>
      use({
        to: async (address, subject) => {
          const found = () =>
            mailServer.received.findLast(
              (email) => email.subject === subject && email.envelope.to[0] === address,
            );
          await expect.poll(() => found()?.subject, { timeout: 60_000 }).toBe(subject);
          return linkIn(found());
        },
      }),
    { scope: "worker" },
  ],
});

type Stop = { url: string; databaseUrl: string; dataDir: string; received: Received[] };

/** Stories on a separate server without a mail server: emails are files. */
export const withOutbox = base.extend<object, MailFixture & { mailServer: Folder }>({
  mailServer: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await startPostcard();
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  running: [({ mailServer }, use) => use(mailServer), { scope: "worker" }],
  mail: [
    ({ mailServer }, use) =>
      use({
        to: async (address, subject) => {
          const found = async () =>
            (await outboxOf(mailServer.dataDir).catch(() => [])).findLast(
              (email) => email.subject === subject && email.to?.[0]?.address === address,
            );
          await expect
            .poll(async () => (await found())?.subject, { timeout: 60_000 })
            .toBe(subject);
          return linkIn(await found());
        },
      }),
    { scope: "worker" },
  ],
});

type Folder = { url: string; databaseUrl: string; dataDir: string };
