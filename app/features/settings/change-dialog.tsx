import { useEffect, useId, useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import * as common from "#messages/common.json";
import { instead } from "#app/lib/instead.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { notify } from "#app/lib/toasts.ts";
import { XIcon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";

/** What the form in a dialog does when it is saved. */
export type DialogFeedback = {
  /** keeps the dialog open and shows the message in it */
  stay: (message: string) => void;
  /** closes the dialog and shows the message as a toast */
  leave: (message: string) => void;
};

type Props = {
  title: string;
  about?: ReactNode;
  /** the page below, without the dialog */
  back: string;
  /** the answer to a submit without scripts about the whole form */
  message?: string | undefined;
  children: (feedback: DialogFeedback) => ReactNode;
};

/** One change, over the page whose row opened it. By its address Back closes it, and it opens without scripts. */
export function ChangeDialog({ title, about, back, message = "", children }: Props) {
  const id = useId();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const [openFromServer] = useState(!hydrated);
  const [status, setStatus] = useState(message);
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null);

  useEffect(() => {
    // Opened by the server it is not modal yet, and showModal refuses an open dialog.
    dialog?.removeAttribute("open");
    dialog?.showModal();
  }, [dialog]);

  // By the browser's own way: it gives the focus back to the row.
  const close = () => dialog?.close();
  const feedback: DialogFeedback = {
    stay: setStatus,
    leave: (text) => {
      close();
      if (text) notify.success(text);
    },
  };
  return (
    <dialog
      ref={setDialog}
      open={openFromServer || undefined}
      aria-labelledby={id}
      onClose={() => void navigate(back, { replace: true, preventScrollReset: true })}
      // Content that is shown once must not be lost by an accidental press.
      onCancel={(event) => {
        if (dialog?.querySelector("[data-shown-once]")) event.preventDefault();
      }}
      className="dialog"
    >
      <div className="flex items-center justify-between gap-4">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        <Link
          to={back}
          replace
          preventScrollReset
          aria-label={common.close}
          className="grid size-11 shrink-0 place-items-center rounded-full hover:bg-base-200"
          onClick={instead(close)}
        >
          <XIcon className="size-5" aria-hidden />
        </Link>
      </div>
      {about ? <p className="mb-2 text-sm text-pretty text-muted">{about}</p> : null}
      <p role="status" className={status ? "rounded-field bg-base-200 px-4 py-3" : "sr-only"}>
        {status}
      </p>
      {children(feedback)}
    </dialog>
  );
}
