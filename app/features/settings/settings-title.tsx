import { BackLink } from "#app/ui/back-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";

/** Of a page of the settings; at a desk their list stands beside it. */
export function SettingsTitle({ children }: { children: string }) {
  return (
    <>
      <BackLink to="/settings" besides>
        Settings
      </BackLink>
      <ScreenTitle>{children}</ScreenTitle>
    </>
  );
}
