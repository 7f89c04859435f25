import type { Location } from "react-router-dom";
import { paths } from "./paths.ts";
import { returnPath } from "./session-guards.tsx";

/** A login at another site loses the state of the router: then the page is in the query. */
const PARAM = "from";
/** Not //other.example. Browsers remove control characters from addresses. */
const PATH_OF_THIS_SITE = /^\/(?![/\\])\P{Cc}*$/u;

/** Where to go after the login that the login page at this location offers. */
export function pathAfterLogin({ search, state }: Pick<Location, "search" | "state">): string {
  const from = new URLSearchParams(search).get(PARAM) ?? "";
  return PATH_OF_THIS_SITE.test(from) ? from : returnPath(state);
}

/** The path of the login page that then goes to `from`. */
export const pathOfLogin = (from: string) => `${paths.login}?${new URLSearchParams({ [PARAM]: from })}`;
