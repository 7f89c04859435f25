import type { GatewaySettings } from "../settings.ts";
import { indented, nginxArgument } from "./nginx-text.ts";
import { forwardedHeaders } from "./proxying.ts";
import { addressOf, upstream } from "./upstreams.ts";

const UPSTREAM = "firebase_emulator";

/** The account calls of the Firebase SDK that the SPA uses. */
const ACCOUNT_CALLS = ["signUp", "signInWithPassword", "sendOobCode", "lookup", "update", "delete"];

/**
 * The only calls of the emulator that browsers need. The emulator accepts unsigned tokens, so other sign-in methods
 * would give access to any account. Its administrative calls would give access to all accounts.
 */
const CALLS = [
  ["POST", `/identitytoolkit[.]googleapis[.]com/v1/accounts:(${ACCOUNT_CALLS.join("|")})`],
  ["GET", "/identitytoolkit[.]googleapis[.]com/v2/(recaptchaConfig|passwordPolicy)"],
  ["POST", "/securetoken[.]googleapis[.]com/v1/token"],
  ["GET", "/emulator/action"],
] as const;

/** Calls of one client per minute. A login takes two calls, a password guess one. */
export const CALLS_PER_MINUTE = 120;

const CALLS_ZONE = `
limit_req_zone $client_network zone=emulator_calls:1m rate=${CALLS_PER_MINUTE}r/m;
limit_req_status 429;
limit_req_log_level info;`;
const LIMIT_CALLS = `limit_req zone=emulator_calls burst=${CALLS_PER_MINUTE} nodelay;`;

type Emulator = Pick<GatewaySettings, "discovery" | "limitsClients">;

/** The Firebase Auth emulator, for the http block. */
export function emulatorUpstream(address: string, { discovery, limitsClients }: Emulator): string {
  const calls = CALLS.map(([method, path]) => `"~^${method} ${path}$" $uri;`);
  return `
${upstream(UPSTREAM, [address], discovery)}
map "$request_method $uri" $emulator_call {
  default "";
  ${calls.join("\n  ")}
}
map "$arg_mode $arg_newPassword" $shows_password_form {
  default "";
  "resetPassword " 1;
}
${limitsClients ? CALLS_ZONE : ""}`;
}

/** The emulator's calls on the site's origin, for the server block. */
export function emulatorLocations(
  publicUrl: URL,
  directory: string,
  { discovery, limitsClients }: Emulator,
): string {
  return `
location ~ ^/((identitytoolkit|securetoken)[.]googleapis[.]com|emulator)(/|$) {
  if ($emulator_call = "") {
    return 404;
  }
  if ($shows_password_form) {
    rewrite ^ /_emulator/new-password.html last;
  }
  ${limitsClients ? LIMIT_CALLS : ""}
  ${indented(1, forwardedHeaders(publicUrl))}
  proxy_set_header Connection "";
  # The emulator treats every "Bearer owner" as its administrator.
  proxy_set_header Authorization "";
  proxy_set_header Cookie "";
  # The normalized path that was checked, not the path as the client sent it.
  proxy_pass ${addressOf(UPSTREAM, discovery)}$emulator_call$is_args$args;
}
location ^~ /_emulator/ {
  internal;
  ssi on;
  root ${nginxArgument(directory)};
}`;
}
