import { useEffect } from "react";
import type { Opening } from "./choose-opening.ts";
import { openAppOnce } from "./open-app-once.ts";

/** Carries out what needs no tap. */
export function useAutoOpen(opening: Opening | undefined): void {
  useEffect(() => {
    if (opening?.kind === "app" && opening.isAutomatic) return openAppOnce(opening.page.appLink);
    if (opening?.kind === "web") location.replace(opening.webUrl);
    return undefined;
  }, [opening]);
}
