import sentences from "#messages/checks.json";
import { direction } from "#messages/language.json";
import { sayingBy, sentenceBySentence } from "#shared/said-sentences.ts";
import type { PageContext } from "#app/lib/context.server.ts";
import { wholeCount } from "#app/lib/text/counts.ts";
import { formOf } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";

const say = sentenceBySentence(
  sayingBy(sentences, {
    formOf,
    count: wholeCount,
    day: (at) => formatDate(at, "UTC"),
    // The first stroke of a path would stand at its other end, among letters from right to left.
    value: (value) => (direction === "rtl" ? `\u2068${value}\u2069` : value),
  }),
);

type State = Awaited<ReturnType<PageContext["status"]["read"]>>;
type Drill = NonNullable<State["backups"]>["continuousDrill"];

const drillOf = (drill: Drill): Drill => drill && { ...drill, faults: drill.faults.map(say) };

/** What checks, the monitor and backups wrote down in English, in the language of this build. */
export function inPageLanguage<Read extends State>(state: Read): Read {
  const { needs, backups, round } = state;
  return {
    ...state,
    needs: needs.map((need) => ({ ...need, text: say(need.text) })),
    backups: backups && {
      ...backups,
      trouble: say(backups.trouble),
      failure: say(backups.failure),
      list: backups.list.map((backup) => ({ ...backup, drill: drillOf(backup.drill) })),
    },
    round: round && {
      ...round,
      findings: round.findings.map(({ state: found, about, text }) => ({
        state: found,
        about: say(about),
        text: say(text),
      })),
    },
  };
}
