import type { PhotoFacts as Facts } from "#shared/photo-details.ts";
import type { ImageView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { fill } from "#app/lib/text/messages.tsx";

type Props = { photos: readonly ImageView[]; photoFacts: readonly Facts[] };

/** What its author shows of how and where each photo was taken: a line, named once where several share it. */
export function PhotoFacts({ photos, photoFacts }: Props) {
  const lines = new Map<string, { of: Facts; numbers: number[] }>();
  for (const [index, { key }] of photos.entries()) {
    const of = photoFacts.find((one) => one.key === key);
    if (!of) continue;
    const text = `${of.line} ${of.location?.text}`;
    const { numbers = [] } = lines.get(text) ?? {};
    lines.set(text, { of, numbers: [...numbers, index + 1] });
  }
  return [...lines.values()].map(({ of: { key, line, location }, numbers }) => (
    <p key={key} className="pt-1 text-[0.8125rem]/5 wrap-anywhere opacity-75">
      {numbers.length < photos.length &&
        `${fill(words.photoNumbers, { numbers: numbers.join(", ") })} `}
      <bdi>{line}</bdi>
      {line && location && " · "}
      {location && (
        // As coordinates: no map is loaded from anywhere.
        <a href={location.href} target="_blank" rel="noopener noreferrer" className="link">
          {location.text}
        </a>
      )}
    </p>
  ));
}
