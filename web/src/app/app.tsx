import { type ReactNode, StrictMode, useEffect } from "react";
import type { Config } from "../lib/config.ts";
import { Providers } from "./providers.tsx";
import { AppRoutes } from "./router.tsx";

interface AppProps {
  config: Config | Promise<Config>;
  /** Puts the routes into a router. */
  router: (routes: ReactNode) => ReactNode;
}

/** The application. The browser and the build render the same tree, because ids depend on it. */
export function App({ config, router }: AppProps) {
  return (
    <StrictMode>
      <Providers config={config}>
        <Start />
        {router(<AppRoutes />)}
      </Providers>
    </StrictMode>
  );
}

/** Removes the styles that apply to the prerendered page until the application has started. */
function Start() {
  useEffect(() => {
    document.querySelector("[data-prerendered]")?.removeAttribute("data-prerendered");
  }, []);
  return null;
}
