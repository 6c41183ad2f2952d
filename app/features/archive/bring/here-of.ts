import type { ImportView } from "#shared/archive.ts";
import { kindNames } from "#app/features/archive/kind-names.ts";

/** "612 of 1,000 posts from Instagram are here." */
export const hereOf = ({ done, total, kind }: ImportView): string =>
  `${done.toLocaleString("en")} of ${total.toLocaleString("en")} posts from ${kindNames[kind]} are here.`;
