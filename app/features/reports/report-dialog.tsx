import { useRef, useState } from "react";
import type { FieldErrors } from "#shared/refusals.ts";
import type { ReportTarget } from "#shared/reports.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/reports.json";
import { ReportFields } from "#app/features/reports/report-fields.tsx";
import { reportThis } from "#app/features/reports/report-words.ts";
import { callErrorOf, sendJson, errorMessage } from "#app/lib/api-client.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";
import { Dialog } from "#app/ui/dialog.tsx";

type Props = { reported: ReportTarget; onClose: () => void };

/** Asks for the reason, and stays open with what was typed until it is sent. */
export function ReportDialog({ reported, onClose }: Props) {
  const fields = useRef<HTMLDivElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const sending = useRef(false);

  async function send(): Promise<boolean> {
    const form = fields.current?.closest("form");
    if (!form || sending.current) return false;
    sending.current = true;
    const { reason, words: said } = Object.fromEntries(new FormData(form));
    if (!reason) {
      sending.current = false;
      setErrors({ reason: words.chooseReason });
      return false;
    }
    try {
      await sendJson("POST", "/api/reports", { about: reported, reason, words: said });
      return true;
    } catch (error) {
      const wrong = callErrorOf(error).fields;
      setErrors(wrong ?? {});
      if (!wrong) notify.error(fill(words.notSent, { problem: errorMessage(error) }));
      return false;
    } finally {
      sending.current = false;
    }
  }

  return (
    <Dialog
      title={reportThis[reported.kind]}
      ok={common.report}
      cancel={common.cancel}
      mayClose={send}
      onClose={(sent) => {
        onClose();
        if (sent) notify.success(words.thanks);
      }}
    >
      <div ref={fields} className="grid gap-3">
        <ReportFields errors={errors} />
      </div>
    </Dialog>
  );
}
