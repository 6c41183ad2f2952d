import { useState } from "react";
import { useRevalidator } from "react-router";
import * as words from "#messages/bring.json";
import { refuseEarly } from "#shared/early-refusals.ts";
import { limits } from "#shared/limits.ts";
import type { Audience } from "#shared/posts.ts";
import { NewestField } from "#app/features/archive/bring/newest-field.tsx";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { AudienceRow } from "#app/features/posts/audience/audience-row.tsx";
import { SendingProgress } from "#app/features/sending/sending-progress.tsx";
import { uploadWithProgress } from "#app/lib/forms/upload-with-progress.ts";
import { useLeaveWarning } from "#app/lib/forms/use-leave-warning.ts";
import { useSending } from "#app/lib/forms/use-sending.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { loadSentences } from "#app/lib/text/said.ts";
import { Button } from "#app/ui/button.tsx";

type Props = {
  file: File;
  /** of a Postcard: all of it is one's own. Otherwise this browser cannot read it */
  isPostcard: boolean;
  audience: Audience;
  isPrivate: boolean;
  onEnd: () => void;
};

/** An archive that is sent as a whole and read by the server. */
export function SendWhole({ file, isPostcard, audience: usual, isPrivate, onEnd }: Props) {
  const { revalidate } = useRevalidator();
  const [audience, setAudience] = useState(usual);
  const [showNewest, setShowNewest] = useState(false);
  const [fraction, setFraction] = useState(0);
  const { send, sending, problem } = useSending();
  useLeaveWarning(sending);

  async function sendIt(): Promise<void> {
    setFraction(0);
    await loadSentences();
    if (file.size === 0) throw refuseEarly("archive-required");
    if (file.size > limits.archive.bytes) throw refuseEarly("archive-too-heavy");
    const fields = { audience, ...(showNewest && { showNewest: "on" }), archive: file };
    const sending = { onProgress: setFraction, broke: words.connectionBroke };
    await uploadWithProgress("/calls/import", fields, sending);
    forgetLists();
    await revalidate();
    onEnd();
  }

  return (
    <section aria-label={words.wholeArchive} className="grid gap-4">
      {problem ? <FormAlert text={problem.message} /> : null}
      <p className="text-pretty">{isPostcard ? words.wholePostcard : words.wholeOther}</p>
      <div className="-mx-4 border-b border-line md:mx-0">
        <AudienceRow chosen={audience} isPrivate={isPrivate} onChosen={setAudience} />
      </div>
      <NewestField checked={showNewest} onChosen={setShowNewest} />
      {sending ? (
        <SendingProgress
          count={words.onItsWay}
          percent={Math.round(fraction * 100)}
          label={words.archiveUpload}
        />
      ) : null}
      <div className="flex gap-2">
        <Button look="primary" pending={sending} onClick={() => void send(sendIt)}>
          {words.import}
        </Button>
        {sending ? null : (
          <Button look="quiet" onClick={onEnd}>
            {words.anotherFile}
          </Button>
        )}
      </div>
    </section>
  );
}
