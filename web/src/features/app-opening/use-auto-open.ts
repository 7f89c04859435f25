import { useEffect } from "react";
import { openAppOnce } from "./open-app-once.ts";
import type { Opening } from "./resolve-redirect-page.ts";

/** Opens the app or the web page if no tap is required. */
export function useAutoOpen(opening: Opening | undefined): void {
  useEffect(() => {
    if (opening?.kind === "app" && opening.isAutomatic) return openAppOnce(opening.page.appLink);
    if (opening?.kind === "web") location.replace(opening.webUrl);
    return undefined;
  }, [opening]);
}
