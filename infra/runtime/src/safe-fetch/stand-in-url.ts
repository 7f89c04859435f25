import { isLoopbackAddress, isPrivateAddress } from "./address.ts";

const URL_PATTERN = /^http:\/\/(?:\[([0-9a-f:.]+)\]|([0-9.]+)):[0-9]{1,5}$/i;

/**
 * The error of an EGRESS_STAND_IN_URL, without the name of the setting; null if it is valid:
 * `http://<address>:<port>`, loopback in local, any private address in demo.
 */
export function standInUrlError(url: string, environment: "local" | "demo"): string | null {
  const [, v6, v4] = URL_PATTERN.exec(url) ?? [];
  const address = v6 ?? v4;
  if (address === undefined || !URL.canParse(url)) return "must look like http://127.0.0.1:9400";
  if (environment === "local" && !isLoopbackAddress(address)) return "must be a loopback address";
  return isPrivateAddress(address) ? null : "must be a private address";
}
