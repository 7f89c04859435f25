// Shows the offline page when a page cannot be loaded. Everything else comes from the network.

/** Change the name when the offline page changes. */
const CACHE = "offline-1";
const OFFLINE_PAGE = "/offline.html";

/** Not pages of the SPA. A short link must open as fast, and count as one click. */
const NOT_HANDLED = ["/l/*", "/api/*", "/redirect", "/assets/*", "/_*"];
const patterns = NOT_HANDLED.map((path) => new RegExp(`^${path.replace("*", ".*")}$`));

addEventListener("install", (event) => {
  // With these routes, Chromium does not even start this script.
  const routes = NOT_HANDLED.map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: "network",
  }));
  event.waitUntil(event.addRoutes?.(routes).catch(() => {}));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(OFFLINE_PAGE)));
  skipWaiting();
});

addEventListener("activate", (event) => {
  event.waitUntil(deleteOldCaches());
});

addEventListener("fetch", (event) => {
  const { mode, method, url } = event.request;
  const { pathname } = new URL(url);
  const isPage = mode === "navigate" && method === "GET";
  if (!isPage || patterns.some((pattern) => pattern.test(pathname))) return;
  event.respondWith(fetch(event.request).catch(async () => (await caches.match(OFFLINE_PAGE)) ?? Response.error()));
});

async function deleteOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}
