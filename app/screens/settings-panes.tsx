import { Outlet } from "react-router";
import { SettingsNav } from "#app/features/settings/settings-nav.tsx";
import { useRootData } from "#app/lib/page/root-data.ts";

/** The frame of the pages of Settings: on a desktop their list is at the left. */
export default function SettingsPanes() {
  // A visitor has one page.
  if (!useRootData()?.viewer) return <Outlet />;
  return (
    <div
      data-desk=""
      className="lg:mx-auto lg:grid lg:max-w-[983px] lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-14 lg:p-6"
    >
      <SettingsNav />
      <div className="min-w-0">
        <Outlet />
      </div>
    </div>
  );
}
