import type { ReactNode } from "react";
import { close } from "#messages/common.json";
import { ButtonLink, IconButton } from "#app/ui/button.tsx";
import { XIcon } from "#app/ui/icons.ts";

type Props = { label: string; children: ReactNode };

/** How something on its way stands, above the bar. */
export const SendingChip = ({ label, children }: Props) => (
  <section aria-label={label} className="toasts pointer-events-none fixed z-30 no-print">
    <div className="pointer-events-auto mx-auto flex w-fit max-w-[350px] min-w-64 items-center gap-3 rounded-box border border-line bg-base-100 py-1.5 ps-3 pe-1.5 text-sm shadow-lg motion-appear md:mx-0">
      {children}
    </div>
  </section>
);

/** What became of it. */
export const ChipText = ({ children }: { children: ReactNode }) => (
  <p role="status" className="min-w-0 grow py-1.5 wrap-anywhere">
    {children}
  </p>
);

type LinkProps = { to: string; done?: boolean; onClick?: () => void; children: string };

/** Where it is seen. */
export const ChipLink = ({ done = false, ...rest }: LinkProps) => (
  <ButtonLink {...rest} look="quiet" className={`px-3 ${done ? "text-primary" : ""}`} />
);

export const ChipClose = ({ onClose }: { onClose: () => void }) => (
  <IconButton label={close} onClick={onClose}>
    <XIcon className="size-5" aria-hidden />
  </IconButton>
);
