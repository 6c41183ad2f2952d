import { Fragment, type ComponentProps, type ReactNode } from "react";
import type { PostChoice } from "#shared/posts.ts";
import type { PostView } from "#shared/views.ts";
import {
  showCamera as showCameraLabel,
  showPlace as showPlaceLabel,
} from "#messages/composer.json";
import { placeHint } from "#messages/editor.json";
import { AudienceRow } from "#app/features/posts/audience/audience-row.tsx";
import { CommentersSelect } from "#app/features/posts/composer/commenters-select.tsx";
import { WarningRow } from "#app/features/posts/composer/warning-row.tsx";
import type { EditState, Shows } from "#app/features/posts/editor/edit-state.ts";
import { CheckField } from "#app/ui/check-field.tsx";
import { rowsClass } from "#app/ui/fold-row.tsx";

type Props = {
  post: PostView;
  started: EditState;
  shows: Shows;
  withPhotos: boolean;
  warning: Omit<ComponentProps<typeof WarningRow>, "chosen">;
};

/** Who sees and does what. A choice without a control here would be reset by every edit. */
export function Choices({ post, started, shows, withPhotos, warning }: Props) {
  const { showCamera, showPlace, ...others } = {
    showCamera: (
      <CheckField name="showCamera" label={showCameraLabel} defaultChecked={started.showCamera} />
    ),
    showPlace: shows.showPlace && (
      <CheckField
        name="showPlace"
        label={showPlaceLabel}
        hint={placeHint}
        defaultChecked={started.showPlace}
      />
    ),
    commentsFrom: <CommentersSelect chosen={started.commentsFrom} />,
    audience: (
      <AudienceRow chosen={started.audience} saved={post.audience} isPrivate={post.private} />
    ),
    warning: <WarningRow chosen={started} {...warning} />,
    // In the same row.
    sensitive: null,
  } satisfies Record<PostChoice, ReactNode>;
  return (
    <>
      {withPhotos && (
        <div className="grid">
          {showCamera}
          {showPlace}
        </div>
      )}
      <div className={rowsClass}>
        {Object.entries(others).map(([name, control]) => (
          <Fragment key={name}>{control}</Fragment>
        ))}
      </div>
    </>
  );
}
