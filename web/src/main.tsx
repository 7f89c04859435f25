import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router-dom";
import { routesOf } from "./app/pages.tsx";
import { basename } from "./lib/account-address.ts";
import { readOrLoadConfig } from "./lib/config.ts";
import { loadSchemas } from "./lib/http/load-schemas.ts";
import { PRELOAD_AFTER_MS } from "./lib/timeouts.ts";
import "./styles.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// With data, even if there is none, the router does not scroll the first page.
const router = createBrowserRouter(routesOf({ config: readOrLoadConfig() }), {
  hydrationData: {},
  basename: basename(),
});
const app = (
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>
);

if ("prerendered" in root.dataset) {
  hydrateRoot(root, app);
} else {
  createRoot(root).render(app);
}

// Preloads the schemas for the first API call, after the scripts of the page. Safari and older versions of Firefox never import a
// module again that failed to load, so a page that has gone offline before could not call the API any more.
setTimeout(() => void loadSchemas().catch(() => {}), PRELOAD_AFTER_MS);
