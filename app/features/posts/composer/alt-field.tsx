import { limits } from "#shared/limits.ts";
import * as words from "#messages/composer.json";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import type { useCard } from "#app/features/posts/composer/use-card.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { FoldRow } from "#app/ui/fold-row.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Card = Pick<ReturnType<typeof useCard>, "chosen" | "choose" | "describe">;

type RowProps = {
  photos: readonly ChosenPhoto[];
  card: Card;
  /** of the selected photo's text */
  error: string | undefined;
  open: boolean;
  onOpen: (open: boolean) => void;
};

/** How many photos are described, and a field for each. */
export function DescribeRow({ photos, card, error, open, onOpen }: RowProps) {
  const { length: count } = photos;
  const described = photos.filter(({ alt }) => alt.trim() !== "").length;
  return (
    <FoldRow
      label={count > 1 ? words.describePhotos : words.describePhoto}
      value={fill(words.described, { described, count })}
      open={open}
      onToggle={({ currentTarget }) => onOpen(currentTarget.open)}
    >
      <p className="pb-3 text-sm text-muted">{words.readAloud}</p>
      <ol className="grid gap-4">
        {photos.map((photo, at) => (
          <li key={photo.id}>
            <AltField
              {...{ photo, at, count, card }}
              onFocus={() => card.choose(photo.id)}
              error={photo.id === card.chosen?.id ? error : undefined}
            />
          </li>
        ))}
      </ol>
    </FoldRow>
  );
}

type Props = {
  photo: ChosenPhoto;
  /** its index, from 0, and the number of photos */
  at: number;
  count: number;
  card: Pick<Card, "describe">;
  hint?: string;
  onFocus?: () => void;
  error: string | undefined;
};

/** The alt text of a photo. */
export function AltField({ photo, at, count, card, ...field }: Props) {
  const { id, preview, alt } = photo;
  const several = count > 1;
  return (
    <div className="flex gap-3">
      {several && preview ? (
        <img
          key={preview}
          src={preview}
          alt=""
          onError={(event) => event.currentTarget.classList.add("hidden")}
          className="composer-described size-11 shrink-0 rounded-field bg-base-300 object-cover"
        />
      ) : null}
      <div className="min-w-0 grow">
        <TextArea
          key={id}
          name="alt"
          label={several ? fill(words.describePhotoOf, { at: at + 1, count }) : words.describePhoto}
          optional
          rows={2}
          limit={limits.altText}
          className="min-h-16!"
          defaultValue={alt}
          onChange={(event) => card.describe(id, event.currentTarget.value)}
          {...field}
        />
      </div>
    </div>
  );
}
