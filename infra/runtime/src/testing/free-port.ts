import { randomInt } from "node:crypto";
import getPort, { portNumbers } from "get-port";

/** Systems use ports from 32768 on for outgoing connections and for port 0. */
const FROM = 20_000;
const TO = 32_767;
/** As many are tried at least. */
const TRIED = 1_000;

/**
 * A port for what listens there later, or again after a pause, out of those that no other process
 * can be assigned by the system before.
 */
export function freePort(): Promise<number> {
  return getPort({ port: portNumbers(randomInt(FROM, TO - TRIED), TO) });
}
