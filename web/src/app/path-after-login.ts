import type { Location } from "react-router-dom";
import { paths } from "./paths.ts";
import { RETURN_PARAM, returnPath } from "./session-guards.tsx";

/** Not //other.example. Browsers remove control characters from addresses. */
const PATH_OF_THIS_SITE = /^\/(?![/\\])\P{Cc}*$/u;

/** Where to go after the login that the login page at this location offers. */
export function pathAfterLogin({ search, state }: Pick<Location, "search" | "state">): string {
  const from = new URLSearchParams(search).get(RETURN_PARAM) ?? "";
  return PATH_OF_THIS_SITE.test(from) ? from : returnPath(state);
}

/** The path of the login page that then goes to `from`. */
export const pathOfLogin = (from: string) => `${paths.login}?${new URLSearchParams({ [RETURN_PARAM]: from })}`;
