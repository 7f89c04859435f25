import { paths } from "./paths.ts";

/** What a page that sends its visitor to log in gives along. */
export interface ReturnLocation {
  from: string;
}

/** Where to go after login: the page one was sent away from, else the dashboard. */
export function returnPath(state: unknown): string {
  return isReturnLocation(state) ? state.from : paths.dashboard;
}

function isReturnLocation(state: unknown): state is ReturnLocation {
  return typeof state === "object" && state !== null && "from" in state;
}
