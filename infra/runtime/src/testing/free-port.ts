import { randomInt } from "node:crypto";
import getPort, { portNumbers } from "get-port";

/** Systems use ports from 32768 on for outgoing connections and for port 0. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
/** Minimum number of ports that are tried. */
const MIN_CANDIDATES = 1_000;

/**
 * A free port for a server that starts later or is restarted. The port is outside the ephemeral range, so the system
 * does not assign it to another process in the meantime.
 */
export function freePort(): Promise<number> {
  return getPort({
    port: portNumbers(randomInt(FIRST_PORT, LAST_PORT - MIN_CANDIDATES), LAST_PORT),
  });
}
