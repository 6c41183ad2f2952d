type Props = { figures: readonly (readonly [label: string, value: string])[] };

/** Numbers that are read at a glance, with plain labels. */
export function Figures({ figures }: Props) {
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-3">
      {figures.map(([label, value]) => (
        <div key={label} className="flex w-20 grow flex-col-reverse justify-end">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="text-xl font-semibold sm:text-2xl">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
