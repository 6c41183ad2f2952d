import { useState } from "react";
import type { Audience, ShownAudience } from "#shared/posts.ts";
import * as words from "#messages/posts.json";
import {
  AudienceChoices,
  audienceName,
  NotOffered,
  type AudienceProps,
} from "#app/features/posts/audience/audience-choices.tsx";
import { useNarrowOffered } from "#app/lib/page/root-data.ts";
import { FoldRow } from "#app/ui/fold-row.tsx";

type Props = AudienceProps & { saved?: ShownAudience; onChosen?: (chosen: Audience) => void };

/** Who can see a post, in its form: a row that opens its choices, without scripts too. */
export function AudienceRow({ chosen, isPrivate, onChosen, ...rest }: Props) {
  const [own, setOwn] = useState(chosen);
  const now = onChosen ? chosen : own;
  const offered = useNarrowOffered();
  // What is narrow already, by a draft or from before, changes by a choice alone.
  if (!offered && now === "everyone") {
    return (
      <div className="border-t border-line px-4 py-3 md:px-5">
        <NotOffered />
      </div>
    );
  }
  return (
    <FoldRow label={words.whoCanSee} value={audienceName({ chosen: now, isPrivate })}>
      <AudienceChoices chosen={now} isPrivate={isPrivate} onChange={onChosen ?? setOwn} {...rest} />
    </FoldRow>
  );
}
