import { lazy, Suspense, type ComponentProps } from "react";

const Dialog = lazy(async () => ({ default: (await import("#app/ui/dialog.tsx")).Dialog }));

/** The dialog, whose code loads when one is opened; on the server it is simply there. */
export function LazyDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  );
}
