import { limits } from "#shared/limits.ts";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import type { useCard } from "#app/features/posts/composer/use-card.ts";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  photo: ChosenPhoto;
  card: Pick<ReturnType<typeof useCard>, "at" | "describe">;
  /** number of photos */
  count: number;
  error: string | undefined;
};

/** The alt text of the selected photo. */
export function AltField({ photo, card, count, error }: Props) {
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
          className="mt-7 size-11 shrink-0 rounded-field bg-base-300 object-cover"
        />
      ) : null}
      <div className="min-w-0 grow">
        <TextArea
          key={id}
          name="alt"
          label={several ? `Describe photo ${card.at + 1} of ${count}` : "Describe the photo"}
          optional
          rows={2}
          limit={limits.altText}
          hint="Read aloud to people who can't see it."
          className="min-h-16!"
          defaultValue={alt}
          error={error}
          onChange={(event) => card.describe(id, event.currentTarget.value)}
        />
      </div>
    </div>
  );
}
