import type { Commenters } from "#shared/posts.ts";
import { choicesIn } from "#app/features/posts/composer/choices-in.ts";

const choices: [value: Commenters, label: string][] = [
  ["everyone", "Everyone"],
  ["following", "People you follow"],
  ["nobody", "Nobody"],
];

type Props = { chosen: Commenters; onChosen?: (chosen: Commenters) => void };

/** Who may comment on a post, in its form: a native select, with scripts and without. */
export function CommentersSelect({ chosen, onChosen }: Props) {
  return (
    <label className="flex min-h-11 items-center gap-3 text-sm">
      <span className="shrink-0">Who can comment</span>
      <select
        name="commentsFrom"
        className="input appearance-auto"
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
    </label>
  );
}
