import { randomUUID } from "node:crypto";
import type { Jobs } from "#server/jobs.ts";

/** A mail to one person. Nothing of it may hold a line break where a header ends. */
export type MailMessage = {
  to: { address: string; name?: string };
  /** what the site is called: the sender's name where MAIL_FROM has none. Queued mails call it so (an upgrade) */
  place: string;
  subject: string;
  /** where one POST ends letters of this kind (RFC 8058) */
  unsubscribe?: string;
  /** the same words twice, for readers of either kind */
  text: string;
  html: string;
};

/** Without a name it is the installation's. */
export type Sender = { name: string; address: string };

/** A letter as it leaves: who sends it and by which name it is known to mail servers. */
export type OutgoingMail = MailMessage & { from: Sender; messageId: string };

/** Where letters go: a mail server, or files. Both throw an Error without anybody's address. */
export type MailTransport = {
  deliver: (mail: OutgoingMail) => Promise<void>;
  /** removes what nobody needs any more */
  sweep: () => Promise<void>;
  close: () => void;
};

export type Mail = {
  /** whether letters leave the machine; else they are files for the operator */
  leaves: boolean;
  /**
   * Sends now; throws where that fails. Only background jobs send: nobody waits for a mail server.
   * Letters with a single-use link are made and sent by the job that makes the link.
   */
  send: (mail: MailMessage) => Promise<void>;
  /** Sends after the commit of the transaction that runs, and again until it worked. */
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
    // queued by a version before letters had it
    const { place = "Postcard" } = mail as Partial<MailMessage>;
    const sender = { ...from, name: from.name || place };
    await transport.deliver({ ...checked(mail), from: sender, messageId: `<${id}@${host}>` });
  }

  jobs.handle<QueuedMail>(sendJob, ({ letter: mail, id }) => deliver(mail, id), { retries });

  return {
    leaves,
    send: (mail) => deliver(mail, randomUUID()),
    queue: async (mail) => {
      // one id however often it is tried: mailboxes then know a second copy for what it is
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

/** Refuses what would be more than one header: the letter's words are other people's. */
function checked(mail: MailMessage): MailMessage {
  const { to, place, subject } = mail;
  if (!oneAddress.test(to.address)) throw new Error("A letter's address is not one address.");
  if (lineBreaks.test(to.name ?? "")) throw new Error("A letter's name breaks its line.");
  if (lineBreaks.test(place ?? "")) throw new Error("A letter's sender breaks its line.");
  if (lineBreaks.test(subject)) throw new Error("A letter's subject breaks its line.");
  return mail;
}
