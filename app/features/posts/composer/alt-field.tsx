import { limits } from "#shared/limits.ts";
import type { StripPhoto } from "#app/features/posts/composer/photo-strip.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  photo: StripPhoto;
  /** which of how many, from 0 */
  at: number;
  count: number;
  error?: string | undefined;
  onAlt: (id: string, alt: string) => void;
};

/** What the chosen photo shows, for who does not see it. */
export function AltField({ photo, at, count, error, onAlt }: Props) {
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
          label={several ? `Describe photo ${at + 1} of ${count}` : "Describe the photo"}
          optional
          rows={2}
          limit={limits.altText}
          hint="Read aloud to people who can't see it."
          className="min-h-16!"
          defaultValue={alt}
          error={error}
          onChange={(event) => onAlt(id, event.currentTarget.value)}
        />
      </div>
    </div>
  );
}
