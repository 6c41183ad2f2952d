import type { Commenters } from "#shared/posts.ts";
import * as words from "#messages/composer.json";
import { choicesIn } from "#app/features/posts/composer/choices-in.ts";
import { RowCaret, rowClass } from "#app/ui/fold-row.tsx";

const choices: [value: Commenters, label: string][] = [
  ["everyone", words.everyone],
  ["following", words.peopleYouFollow],
  ["nobody", words.noOne],
];

type Props = { chosen: Commenters; onChosen?: (chosen: Commenters) => void };

/** Who may comment on a post, in its form: a row that is a native select, with scripts and without. */
export function CommentersSelect({ chosen, onChosen }: Props) {
  return (
    <label className={`${rowClass} flex-wrap border-t border-line`}>
      <span>{words.whoCanComment}</span>
      <span className="relative ms-auto flex grow items-center">
        <select
          name="commentsFrom"
          className="composer-select min-h-12 grow cursor-pointer bg-base-100 text-end text-muted -outline-offset-2"
          {...(onChosen
            ? {
                value: chosen,
                onChange: ({ currentTarget }) =>
                  onChosen(choicesIn({ commentsFrom: currentTarget.value }).commentsFrom),
              }
            : { defaultValue: chosen })}
        >
          {choices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <RowCaret className="pointer-events-none absolute end-0" />
      </span>
    </label>
  );
}
