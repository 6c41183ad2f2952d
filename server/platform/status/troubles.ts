import { writeMail } from "#server/adapters/mail/write-mail.ts";
import type { Mail } from "#server/adapters/mail/mail.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { messagesIn, readersLanguage, sayingIn } from "#server/platform/messages.ts";
import { sentenceBySentence } from "#shared/said-sentences.ts";
import * as queries from "#server/platform/status/troubles.queries.ts";
import type { TroubleKind } from "#server/platform/status/troubles.queries.ts";
import { fill } from "#shared/messages.ts";

/**
 * A check of one thing: `wrong` says what the problem is and what to do; `fine` that there is none;
 * neither: as before.
 */
export type TroubleReport = {
  kind: TroubleKind;
  /** the folder, with the machine's name if each machine has its own */
  place: string;
} & ({ wrong: string } | { fine: string } | { asBefore: true });

/** What an email is about: a trouble, or its end. */
const subjects = {
  backup: "troubleBackup",
  drill: "troubleBackup",
  pictures: "troublePictures",
  disk: "troubleDisk",
  over: "troubleOver",
} as const satisfies Record<TroubleKind | "over", string>;

/** `language`: the one they chose. */
type Operator = {
  id: string;
  name: string;
  email: string;
  verified: boolean;
  language: string | null;
};

type Deps = {
  db: Database;
  operators: () => Promise<Operator[]>;
  /** notifies operators in the product, besides the mail; `id` is the trouble's */
  notices: {
    trouble: (kind: "trouble" | "recovery", operatorIds: string[], id: string) => Promise<void>;
  };
  mail: Pick<Mail, "leaves" | "queue">;
  config: Pick<Config, "publicUrl"> & Partial<Pick<Config, "languages">>;
  site: () => Promise<{ name: string }>;
};

/**
 * Notifies operators of problems with the server, in the app and by email: once when one begins,
 * once a day while it lasts, and once when it is over, however many servers see it.
 */
export function createTroubles({ db, operators, notices, mail, config, site }: Deps) {
  async function report(look: TroubleReport): Promise<void> {
    const { kind, place: where } = look;
    await db.transaction(async () => {
      if ("wrong" in look) {
        const said = look.wrong.slice(0, 1000);
        const seen = await queries.recordTrouble(db, { id: newId(), kind, place: where, said });
        if (seen.tells) await notifyOperators(kind, seen.id, said);
      } else if ("fine" in look) {
        const recovery = look.fine;
        const id = await queries.endTrouble(db, { kind, place: where, recovery });
        if (id) await notifyOperators("over", id, recovery);
      } else await queries.touchTrouble(db, kind, where);
    });
  }

  async function notifyOperators(about: TroubleKind | "over", id: string, said: string) {
    const reported = await operators();
    await notices.trouble(
      about === "over" ? "recovery" : "trouble",
      reported.map((operator) => operator.id),
      id,
    );
    const { publicUrl, languages = [] } = config;
    const { name } = await site();
    for (const operator of reported) {
      // An unconfirmed address may be somebody else's; if mails are files, nothing is sent to it.
      if (mail.leaves && !operator.verified) continue;
      const language = readersLanguage(operator.language, languages);
      const words = messagesIn(language, "letters.json");
      const message = writeMail({
        to: { address: operator.email, ...(operator.name && { name: oneLine(operator.name) }) },
        language,
        subject: fill(words.troubleSubject, {
          site: oneLine(name),
          subject: words[subjects[about]],
        }),
        paragraphs: [sentenceBySentence(sayingIn(language, "checks.json"))(said)],
        action: { label: words.troubleAction, url: `${publicUrl}/operator` },
        otherwise: about === "over" ? words.troubleOverOtherwise : words.troubleOtherwise,
        site: name,
        publicUrl,
      });
      await mail.queue(message);
    }
  }

  /** Current troubles, for operators, the oldest first. */
  const list = () => queries.openTroubles(db);

  /** Ends troubles that no server checks any more. */
  const sweep = () => queries.expireTroubles(db);

  return { report, list, sweep };
}

export type Troubles = ReturnType<typeof createTroubles>;

/** A header is one line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
