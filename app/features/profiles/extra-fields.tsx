import type { ShownExtraField } from "#shared/extra-fields.ts";
import { parseWebAddress } from "#shared/web-address.ts";
import { shownWebsite } from "#shared/shown-website.ts";
import * as words from "#messages/profile.json";
import { LinkedText } from "#app/features/posts/linked-text.tsx";
import { CheckCircleIcon } from "#app/ui/icons.ts";

/** What the owner of a profile says beside the bio, a line each. */
export function ExtraFields({ fields }: { fields: readonly ShownExtraField[] }) {
  return (
    <dl className="mt-2 grid gap-x-4 gap-y-2 sm:grid-cols-[max-content_1fr]">
      {fields.map(({ name, value, verifiedAt }, at) => (
        // A pair has no id, and none moves while it is shown.
        // oxlint-disable-next-line no-array-index-key
        <div key={at} className="sm:contents">
          <dt className="max-w-60 text-sm leading-6 text-muted wrap-anywhere">
            <bdi>{name}</bdi>
          </dt>
          <dd className="min-w-0 leading-6 wrap-anywhere">
            {verifiedAt !== null && <Verified />}
            <bdi>
              <Value text={value} />
            </bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** An address by itself says that its page is the owner's own; others are links like those of a text. */
function Value({ text }: { text: string }) {
  const url = parseWebAddress(text);
  if (!url) return <LinkedText text={text} mentions={[]} />;
  return (
    <a href={url.href} rel="me nofollow noopener noreferrer ugc" dir="ltr" className="link">
      {shownWebsite(url.href)}
    </a>
  );
}

/** Beside an address whose page leads back. */
export const Verified = () => (
  <span title={words.linksBack} className="me-1 inline-block align-[-0.2em] text-primary">
    <CheckCircleIcon weight="fill" className="size-[1.1em]" aria-hidden />
    <span className="sr-only">{words.verified} </span>
  </span>
);
