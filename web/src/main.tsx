import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Providers } from "./app/providers.tsx";
import { Router } from "./app/router.tsx";
import { loadConfig } from "./lib/config.ts";
import { loadSchemas } from "./lib/http/load-schemas.ts";
import "./styles.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

const config = loadConfig();

createRoot(root).render(
  <StrictMode>
    <Providers config={config}>
      <Router />
    </Providers>
  </StrictMode>,
);

// Preloads the schemas for the first API call. If this fails, the call loads them again.
addEventListener("load", () => void loadSchemas().catch(() => {}));
