import { useState } from "react";
import type { Audience } from "#shared/posts.ts";
import {
  AudienceChoices,
  audienceName,
  NotOffered,
  type AudienceProps,
} from "#app/features/posts/audience/audience-choices.tsx";
import { useNarrowOffered } from "#app/lib/page/root-data.ts";
import { CaretRightIcon } from "#app/ui/icons.ts";

type Props = AudienceProps & { saved?: Audience; onChosen?: (chosen: Audience) => void };

/** Who can see a post, in its form: a row that opens its choices, without scripts too. */
export function AudienceRow({ chosen, isPrivate, onChosen, ...rest }: Props) {
  const [own, setOwn] = useState(chosen);
  const now = onChosen ? chosen : own;
  const offered = useNarrowOffered();
  // What is narrow already, by a draft or from before, changes by a choice alone.
  if (!offered && now === "everyone") return <NotOffered />;
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 text-sm [&::-webkit-details-marker]:hidden">
        <span className="shrink-0">Who can see it</span>
        <span className="input justify-between">
          {audienceName({ chosen: now, isPrivate })}
          <CaretRightIcon
            className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
            aria-hidden
          />
        </span>
      </summary>
      <div className="pt-2">
        <AudienceChoices
          chosen={now}
          isPrivate={isPrivate}
          onChange={onChosen ?? setOwn}
          {...rest}
        />
      </div>
    </details>
  );
}
