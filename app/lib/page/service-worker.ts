/** Registers the one worker of this origin, for pushes and for pages without a line (public/). */
export function registerWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register("/service-worker.js", { scope: "/" });
}
