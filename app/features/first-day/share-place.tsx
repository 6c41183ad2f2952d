import { useRootData } from "#app/lib/page/root-data.ts";
import { Button } from "#app/ui/button.tsx";
import { notifyUnreachable } from "#app/ui/lazy-component.tsx";

/** Opens the device's share sheet for the front page, or copies its address. Not there without scripts. */
export function SharePlaceButton({ children }: { children: string }) {
  const title = useRootData()?.site ?? "";
  async function press(): Promise<void> {
    const { share } = await import("#app/features/posts/share.ts");
    await share({ path: "/", title });
  }
  return (
    <Button
      className="shrink-0 noscript:hidden"
      onClick={() => void press().catch(notifyUnreachable)}
    >
      {children}
    </Button>
  );
}

/** The address of the front page, for everybody to copy. */
export function PlaceAddress() {
  return (
    <span dir="ltr" className="wrap-anywhere select-all">
      {useRootData()?.publicUrl}
    </span>
  );
}
