import { randomUUID } from "node:crypto";
import type { Jobs } from "#server/platform/jobs.ts";

/** An email to one person. Nothing in it may contain a line break where a header ends. */
export type MailMessage = {
  to: { address: string; name?: string };
  /**
   * the name of the site: the sender's name where MAIL_FROM has none. Queued mails call it so (an upgrade)
   */
  place: string;
  subject: string;
  /** where one POST unsubscribes from emails of this kind (RFC 8058) */
  unsubscribe?: string;
  /** the same words twice, as text and as HTML */
  text: string;
  html: string;
};

/** Without a name, the site's name is used. */
export type Sender = { name: string; address: string };

/** An email as it is sent: its sender, and the id by which mail servers know it. */
export type OutgoingMail = MailMessage & { from: Sender; messageId: string };

/** Where emails go: a mail server, or files. Both throw an Error without anybody's address. */
export type MailTransport = {
  deliver: (mail: OutgoingMail) => Promise<void>;
  /** removes files that nobody needs any more */
  sweep: () => Promise<void>;
  close: () => void;
};

export type Mail = {
  /** whether emails leave the machine; else they are files for the operator */
  leaves: boolean;
  /**
   * Sends now; throws if that fails. Only background jobs send: no request waits for a mail server. Emails
   * with a single-use link are made and sent by the job that makes the link.
   */
  send: (mail: MailMessage) => Promise<void>;
  /** Sends after the current transaction's commit, and retries until it worked. */
  queue: (mail: MailMessage) => Promise<void>;
  sweep: () => Promise<void>;
  close: () => void;
};

const sendJob = "mail.send";
/** About a day, with the pauses of background jobs. */
const retries = 30;

export function createMail(deps: {
  transport: MailTransport;
  leaves: boolean;
  from: Sender;
  jobs: Pick<Jobs, "add" | "handle">;
}): Mail {
  const { transport, leaves, from, jobs } = deps;
  const host = from.address.slice(from.address.lastIndexOf("@") + 1);

  async function deliver(mail: MailMessage, id: string): Promise<void> {
    // queued by a version before emails had a site name
    const { place = "Postcard" } = mail as Partial<MailMessage>;
    const sender = { ...from, name: from.name || place };
    await transport.deliver({ ...checked(mail), from: sender, messageId: `<${id}@${host}>` });
  }

  jobs.handle<QueuedMail>(sendJob, ({ letter: mail, id }) => deliver(mail, id), { retries });

  return {
    leaves,
    send: (mail) => deliver(mail, randomUUID()),
    queue: async (mail) => {
      // one id however often it is tried: mailboxes then recognise a second copy
      const queued: QueuedMail = { letter: checked(mail), id: randomUUID() };
      await jobs.add(sendJob, queued);
    },
    sweep: transport.sweep,
    close: transport.close,
  };
}

type QueuedMail = { letter: MailMessage; id: string };

/** One address and nothing beside it: no list, no comment, no second header. */
const oneAddress = /^[^\p{Cc}\s@<>()[\],;:"\\]+@[^\p{Cc}\s@<>(),;:"\\]+$/u;
const lineBreaks = /[\p{Cc}\u2028\u2029]/u;

/** Refuses what would be more than one header: the email's words come from other people. */
function checked(mail: MailMessage): MailMessage {
  const { to, place, subject } = mail;
  if (!oneAddress.test(to.address)) throw new Error("An email's address is not one address.");
  if (lineBreaks.test(to.name ?? ""))
    throw new Error("An email's recipient name has a line break.");
  if (lineBreaks.test(place ?? "")) throw new Error("An email's sender has a line break.");
  if (lineBreaks.test(subject)) throw new Error("An email's subject has a line break.");
  return mail;
}
