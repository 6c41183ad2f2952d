import type { ConnectedProvider } from "#shared/providers.ts";
import { SecuritySection } from "#app/features/identity/security/security-section.tsx";
import { dateInWords } from "#app/lib/text/times.ts";
import { ButtonLink } from "#app/ui/button.tsx";

type ConnectedSignInsProps = {
  providers: readonly ConnectedProvider[];
  /** IANA zone of who reads the dates */
  timeZone: string;
};

/** Which providers lead to this account. Each change has a page of its own, which asks for the password. */
export function ConnectedSignIns({ providers, timeZone }: ConnectedSignInsProps) {
  if (providers.length === 0) return null;
  return (
    <SecuritySection title="Connected sign-ins" about="Other ways to sign in to this account.">
      <ul>
        {providers.map(({ name, label, connectedSince }) => (
          <li
            key={name}
            className="flex min-h-16 items-center justify-between gap-4 border-t border-line px-4 py-2"
          >
            <span className="grid min-w-0">
              <span className="truncate font-medium">{label}</span>
              <span className="text-sm text-muted">
                {connectedSince === null
                  ? "Not connected"
                  : `Connected since ${dateInWords(connectedSince, timeZone)}`}
              </span>
            </span>
            {connectedSince === null ? (
              <ButtonLink
                to={`/settings/security/connect/${name}`}
                aria-label={`Connect ${label}`}
                className="btn-sm min-h-11"
              >
                Connect
              </ButtonLink>
            ) : (
              <ButtonLink
                to={`/settings/security/disconnect/${name}`}
                look="danger"
                aria-label={`Disconnect ${label}`}
                className="btn-sm min-h-11"
              >
                Disconnect
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
    </SecuritySection>
  );
}
