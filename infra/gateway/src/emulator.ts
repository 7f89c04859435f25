import { indented, nginxArgument } from "./nginx-text.ts";
import { forwardedHeaders } from "./proxying.ts";
import type { Discovery } from "./settings.ts";
import { addressOf, upstream } from "./upstreams.ts";

const UPSTREAM = "firebase_emulator";

/** What browsers need of the emulator. The rest of it makes anybody the owner of all accounts. */
const CALLS = [
  ["POST", "/identitytoolkit[.]googleapis[.]com/v1/accounts:[A-Za-z]+"],
  ["GET", "/identitytoolkit[.]googleapis[.]com/v2/(recaptchaConfig|passwordPolicy)"],
  ["POST", "/securetoken[.]googleapis[.]com/v1/token"],
  ["GET", "/emulator/action"],
] as const;

/** The emulator of Firebase Auth, for the http block. */
export function emulatorUpstream(address: string, discovery: Discovery | null): string {
  const calls = CALLS.map(([method, path]) => `"~^${method} ${path}$" $uri;`);
  return `
${upstream(UPSTREAM, [address], discovery)}
map "$request_method $uri" $emulator_call {
  default "";
  ${calls.join("\n  ")}
}
map "$arg_mode $arg_newPassword" $asks_for_new_password {
  default "";
  "resetPassword " 1;
}`;
}

/** Its calls on this site's own origin, for the server block. */
export function emulatorLocations(
  publicUrl: URL,
  directory: string,
  discovery: Discovery | null,
): string {
  return `
location ~ ^/((identitytoolkit|securetoken)[.]googleapis[.]com|emulator)(/|$) {
  if ($emulator_call = "") {
    return 404;
  }
  if ($asks_for_new_password) {
    rewrite ^ /_emulator/new-password.html last;
  }
  ${indented(1, forwardedHeaders(publicUrl))}
  proxy_set_header Connection "";
  # Whoever says that he is the owner is believed.
  proxy_set_header Authorization "";
  proxy_set_header Cookie "";
  # The path as it was judged, not as it was written.
  proxy_pass ${addressOf(UPSTREAM, discovery)}$emulator_call$is_args$args;
}
location ^~ /_emulator/ {
  internal;
  ssi on;
  root ${nginxArgument(directory)};
}`;
}
