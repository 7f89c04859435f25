import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { App } from "./app/app.tsx";
import { readOrLoadConfig } from "./lib/config.ts";
import { onFirstInteraction, onFirstInteractionOrLater } from "./lib/first-interaction.ts";
import { loadSchemas } from "./lib/http/load-schemas.ts";
import "./styles.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

const app = <App config={readOrLoadConfig()} router={(routes) => <BrowserRouter>{routes}</BrowserRouter>} />;

if ("prerendered" in root.dataset) {
  hydrateRoot(root, app);
} else {
  createRoot(root).render(app);
}

// Preloads the schemas for the first API call. Safari and older versions of Firefox never import a module again that failed to
// load, so a page that has gone offline before could not call the API any more.
onFirstInteractionOrLater(() => void loadSchemas().catch(() => {}));

if (import.meta.env.PROD) {
  // Private windows may refuse it. Only the offline page depends on it.
  onFirstInteraction(() => void navigator.serviceWorker?.register("/sw.js").catch(() => {}));
}
