import type { PhotoFacts as Facts } from "#shared/photo-details.ts";
import type { ImageView } from "#shared/views.ts";

type Props = { photos: readonly ImageView[]; photoFacts: readonly Facts[] };

/** What its author shows of how and where each photo was taken, folded. Works without scripts, too. */
export function PhotoFacts({ photos, photoFacts }: Props) {
  return photos.map(({ key }, index) => {
    const of = photoFacts.find((one) => one.key === key);
    return of ? (
      <details key={key} className="text-sm">
        <summary className="w-fit cursor-pointer py-3 underline-offset-4 opacity-75 hover:underline">
          {photos.length > 1 ? `Details of photo ${index + 1}` : "Details"}
        </summary>
        <FactList {...of} />
      </details>
    ) : null;
  });
}

/** Coordinates as text: no map is loaded from anywhere. */
function FactList({ facts, location }: Facts) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 pb-3 [&_dt]:opacity-75">
      {facts.map(([label, value]) => (
        <Fact key={label} label={label}>
          <bdi className="wrap-anywhere">{value}</bdi>
        </Fact>
      ))}
      {location && (
        <Fact label="Near">
          <a href={location.href} target="_blank" rel="noopener noreferrer" className="link">
            {location.text}
          </a>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
