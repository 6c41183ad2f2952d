import type { Commenters } from "#shared/posts.ts";

const choices: [value: Commenters, label: string][] = [
  ["everyone", "Everyone"],
  ["following", "People you follow"],
  ["nobody", "Nobody"],
];

/** What a form says, be it the browser's own or one that came from elsewhere. */
export function commentersIn(fields: FormData | Record<string, string>): Commenters {
  const said = fields instanceof FormData ? fields.get("commentsFrom") : fields["commentsFrom"];
  return choices.find(([value]) => value === said)?.[0] ?? "everyone";
}

type Props = { chosen: Commenters; onChosen?: (chosen: Commenters) => void };

/** Who may comment on a post, in its form: the browser's own control, with scripts and without. */
export function WhoComments({ chosen, onChosen }: Props) {
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
                onChosen(commentersIn({ commentsFrom: currentTarget.value })),
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
