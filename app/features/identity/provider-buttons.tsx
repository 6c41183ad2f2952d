import { useState } from "react";
import { useNavigate } from "react-router";
import type { ProviderView } from "#shared/providers.ts";
import * as words from "#messages/identity.json";
import type { DoneAttempt } from "#app/features/identity/await-attempt.ts";
import { SignedInDialog } from "#app/features/identity/signed-in.tsx";
import { useProviderPopup } from "#app/features/identity/use-provider-popup.ts";
import { LoadingGate } from "#app/features/identity/loading-gate.tsx";
import { instead } from "#app/lib/instead.ts";
import { withSignUpContext } from "#app/lib/sign-up-context.ts";
import { withReturn } from "#app/lib/return-path.ts";
import { fill } from "#app/lib/text/messages.tsx";
import {
  GithubLogoIcon,
  GoogleLogoIcon,
  IdentificationBadgeIcon,
  type Icon,
} from "#app/ui/icons.ts";
import { Spinner } from "#app/ui/spinner.tsx";

const logos: Record<string, Icon> = { google: GoogleLogoIcon, github: GithubLogoIcon };

export type ProviderButtonsProps = {
  providers: readonly ProviderView[];
  returnTo: string;
  /** the code of an invitation, for a first sign-in */
  invitation?: string;
  /** the id of the account that a new account follows */
  follow?: string;
};

/** Sign-in through identity providers: links, which work without scripts; with them a popup opens. */
export function ProviderButtons({
  providers,
  returnTo,
  invitation = "",
  follow = "",
}: ProviderButtonsProps) {
  const navigate = useNavigate();
  const [done, setDone] = useState<DoneAttempt | null>(null);
  const { waiting, open } = useProviderPopup((ended) => {
    if (ended.outcome === "second-factor") {
      void navigate(withReturn("/signIn/code", ended.to), { replace: true });
    } else if (ended.outcome === "leaving") {
      void navigate("/keepAccount", { replace: true });
    } else setDone(ended);
  });
  return (
    <div className="grid gap-3">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {words.or}
      </p>
      {providers.map((provider) => {
        const Logo = logos[provider.name] ?? IdentificationBadgeIcon;
        const isWaiting = waiting?.provider.name === provider.name;
        return (
          <a
            key={provider.name}
            href={withSignUpContext(withReturn(`/signIn/with/${provider.name}`, returnTo), {
              invitation,
              follow,
            })}
            rel="nofollow"
            className="btn w-full border-line btn-outline"
            aria-busy={isWaiting || undefined}
            onClick={instead(() => open(provider, { returnTo, invitation, follow }))}
          >
            {isWaiting ? <Spinner /> : <Logo className="size-5 shrink-0" aria-hidden />}
            <span className="truncate">
              {fill(words.continueWith, { provider: provider.label })}
            </span>
          </a>
        );
      })}
      <p role="status" className="text-center text-sm text-muted empty:hidden">
        {waiting?.text}
      </p>
      <LoadingGate active={waiting !== null} text={waiting?.text ?? ""} />
      {done ? (
        <SignedInDialog
          text={done.outcome === "signed-up" ? words.created : words.signedIn}
          to={done.to}
        />
      ) : null}
    </div>
  );
}
