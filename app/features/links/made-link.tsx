import * as common from "#messages/common.json";
import * as words from "#messages/links.json";
import type { SharedLink } from "#shared/shared-links.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { LinkToCopy } from "#app/ui/link-to-copy.tsx";
import { QrCode } from "#app/ui/qr-code.tsx";

export type Made = { link: SharedLink; address: string; qr: { size: number; path: string } };

/** A new link's address, this once: to copy, and to print as a code. */
export function MadeLink({ made: { link, address, qr }, back }: { made: Made; back: string }) {
  const timeZone = useTimeZone();
  const [forever, until] = link.password
    ? [words.sendItUntilEndedSealed, words.sendItUntilSealed]
    : [words.sendItUntilEnded, words.sendItUntil];
  return (
    <div className="grid gap-6 px-4 pb-8 md:px-0">
      <p role="status" className="text-pretty">
        {link.expiresAt === null
          ? forever
          : fill(until, { date: formatDate(link.expiresAt, timeZone) })}
      </p>
      <LinkToCopy label={words.yourLink} address={address} hint={words.yourLinkHint} />
      <div className="grid justify-items-center gap-3">
        <QrCode {...qr} label={words.asQrCode} />
        <p className="text-sm text-muted">{words.toScan}</p>
        <Button className="noscript:hidden no-print" onClick={() => window.print()}>
          {words.print}
        </Button>
      </div>
      <div className="flex flex-wrap gap-3 no-print">
        <ButtonLink to={back} look="primary">
          {common.done}
        </ButtonLink>
        <ButtonLink to="/settings/links">{words.allYourLinks}</ButtonLink>
      </div>
    </div>
  );
}
