import { paths } from "./paths.ts";

/** Router state that a guarded page passes to /login. */
export interface ReturnLocation {
  from: string;
}

/** Where to go after login: the page that required it, else the dashboard. */
export function returnPath(state: unknown): string {
  return isReturnLocation(state) ? state.from : paths.dashboard;
}

function isReturnLocation(state: unknown): state is ReturnLocation {
  return typeof state === "object" && state !== null && "from" in state;
}
