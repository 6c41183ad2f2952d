// Shows what a push says and opens it when it is pressed. It caches nothing and answers no request:
// without a fetch handler every page comes from the server as if this were not here.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  let news = {};
  try {
    news = event.data.json();
  } catch {
    // Browsers want to see something for every push.
  }
  const { title = "Postcard", body = "", url = "/notifications", tag } = news;
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      icon: "/icon-192.png",
      dir: "auto",
      data: { url },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

// Only ever a page of this origin, in a window that is open already where there is one.
async function open(path) {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const [first] = windows;
  if (!first) return void (await self.clients.openWindow(url.href));
  await first.focus();
  await first.navigate(url.href).catch(() => self.clients.openWindow(url.href));
}
