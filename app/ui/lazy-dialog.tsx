import { lazyComponent, notifyUnreachable } from "#app/ui/lazy-component.tsx";

/**
 * The dialog, whose code loads when one is opened; on the server it is included. Without its code a message
 * counts as read, and a question as answered with no.
 */
export const LazyDialog = lazyComponent(
  async () => (await import("#app/ui/dialog.tsx")).Dialog,
  ({ cancel, onClose }) => {
    if (cancel !== undefined) notifyUnreachable();
    onClose(cancel === undefined);
  },
);
