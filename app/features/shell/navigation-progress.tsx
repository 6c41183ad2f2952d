import { useNavigation } from "react-router";
import * as words from "#messages/shell.json";

/** An airmail stripe along the top while a page is loading. */
export function NavigationProgress() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  return (
    <div className="fixed inset-x-0 top-0 z-50 h-1 overflow-hidden motion-fade-late">
      <div className="airmail -ms-10 h-full w-[calc(100%+5rem)] motion-travel" />
      <output className="sr-only">{words.loading}</output>
    </div>
  );
}
