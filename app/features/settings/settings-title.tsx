import { settings } from "#messages/shell.json";
import { BackLink } from "#app/ui/back-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";

/** The title of a settings page; on a desktop the list of pages is beside it. */
export function SettingsTitle({ children }: { children: string }) {
  return (
    <>
      <BackLink to="/settings" besides>
        {settings}
      </BackLink>
      <ScreenTitle>{children}</ScreenTitle>
    </>
  );
}
