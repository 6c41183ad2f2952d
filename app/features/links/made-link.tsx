import type { SharedLink } from "#shared/shared-links.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { formatDate } from "#app/lib/text/times.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { LinkToCopy } from "#app/ui/link-to-copy.tsx";
import { QrCode } from "#app/ui/qr-code.tsx";

export type Made = { link: SharedLink; address: string; qr: { size: number; path: string } };

/** A new link's address, this once: to copy, and to print as a code. */
export function MadeLink({ made: { link, address, qr }, back }: { made: Made; back: string }) {
  const timeZone = useTimeZone();
  const until = link.expiresAt === null ? "until you end it" : formatDate(link.expiresAt, timeZone);
  return (
    <div className="grid gap-6 px-4 pb-8 md:px-0">
      <p role="status" className="text-pretty">
        Send it to whoever should see it. It works{" "}
        {link.expiresAt === null ? until : `until ${until}`}
        {link.password ? ", with the password you chose." : "."}
      </p>
      <LinkToCopy
        label="Your link"
        address={address}
        hint="We don't store this address, so we can't show it again. Copy it now; if it gets lost, end this link and make another."
      />
      <div className="grid justify-items-center gap-3">
        <QrCode {...qr} label="The link as a QR code" />
        <p className="text-sm text-muted">To scan with a phone's camera, from here or on paper.</p>
        <Button className="noscript:hidden no-print" onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <div className="flex flex-wrap gap-3 no-print">
        <ButtonLink to={back} look="primary">
          Done
        </ButtonLink>
        <ButtonLink to="/settings/links">All your links</ButtonLink>
      </div>
    </div>
  );
}
