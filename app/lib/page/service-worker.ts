/** Registers the one worker of this origin, for push and for offline pages (public/). */
export function registerWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register("/service-worker.js", { scope: "/" });
}
