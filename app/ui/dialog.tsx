import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import * as words from "#messages/ui.json";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { Button } from "#app/ui/button.tsx";

/** The specification's modal open delay. */
const openDelayMs = 10;

type DialogProps = {
  title: string;
  text?: string;
  ok?: string;
  /** a second button; without it Escape counts as OK */
  cancel?: string;
  /** OK deletes something */
  danger?: boolean;
  /** Called once, after the dialog has closed. */
  onClose: (answer: boolean) => void;
  /** Where OK leads when no script runs; without it the dialog just closes. */
  okTo?: string;
  /** Called when OK is pressed: false keeps the dialog open. */
  mayClose?: () => boolean | Promise<boolean>;
  /** between text and buttons, inside their form: a field to fill in */
  children?: ReactNode;
};

/**
 * A question or a message on the native `<dialog>`: the browser keeps the focus inside, gives it back
 * afterwards and handles Escape. Rendered on the server it is open without scripts.
 */
export function Dialog({
  title,
  text,
  ok = words.ok,
  cancel,
  danger = false,
  onClose,
  okTo,
  mayClose,
  children,
}: DialogProps) {
  const id = useId();
  const hydrated = useHydrated();
  const [openFromServer] = useState(!hydrated);
  const dialog = useRef<HTMLDialogElement>(null);
  const answer = useRef(cancel === undefined);

  useEffect(() => {
    const timer = setTimeout(() => {
      // Opened by the server it is not modal yet, and showModal refuses an open dialog.
      dialog.current?.removeAttribute("open");
      dialog.current?.showModal();
    }, openDelayMs);
    return () => clearTimeout(timer);
  }, []);

  const close = (value: boolean) => {
    answer.current = value;
    dialog.current?.close();
  };
  async function submit(): Promise<void> {
    const may = mayClose?.() ?? true;
    if (may === true || (await may)) close(true);
  }

  return (
    <dialog
      ref={dialog}
      open={openFromServer || undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={text ? `${id}-text` : undefined}
      onClose={() => onClose(answer.current)}
      className="dialog"
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold">
        {title}
      </h2>
      {text ? (
        <p id={`${id}-text`} dir="auto" className="self-start text-muted">
          {text}
        </p>
      ) : null}
      <form
        method="dialog"
        noValidate
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        <div className="flex justify-end gap-2 pt-2">
          {cancel === undefined ? null : (
            <Button look="quiet" onClick={() => close(false)}>
              {cancel}
            </Button>
          )}
          {okTo !== undefined && !hydrated ? (
            <a href={okTo} className="btn btn-primary">
              {ok}
            </a>
          ) : (
            <Button look={danger ? "delete" : "primary"} type="submit">
              {ok}
            </Button>
          )}
        </div>
      </form>
    </dialog>
  );
}
