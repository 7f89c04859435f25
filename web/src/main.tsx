import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Providers } from "./app/providers.tsx";
import { Router } from "./app/router.tsx";
import { loadConfig } from "./lib/config.ts";
import { loadSchemas } from "./lib/load-schemas.ts";
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

// So that the first call need not wait for it; where this fails, the call tries again.
addEventListener("load", () => void loadSchemas().catch(() => {}));
