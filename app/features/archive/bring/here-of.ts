import { hereFrom } from "#messages/bring.json";
import type { ImportView } from "#shared/archive.ts";
import { kindNames } from "#app/features/archive/kind-names.ts";
import { wholeCount } from "#app/lib/text/counts.ts";
import { counted } from "#app/lib/text/messages.tsx";

/** "612 of 1,000 posts from Instagram are here." */
export const hereOf = ({ done, total, kind }: ImportView): string =>
  counted(hereFrom, total, { done: wholeCount(done), service: kindNames[kind] });
