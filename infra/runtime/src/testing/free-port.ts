import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** Systems give ports from 32768 on to whoever asks for any, outgoing connections included. */
const FROM = 20_000;
const TO = 32_768;

/**
 * Has a server listen on a port on which it can listen again after a pause, as nobody else is given it.
 * @returns the port
 */
export async function listenOnFreePort(server: Server): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO);
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
}

/** For a program that is started later, and perhaps again and again. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listenOnFreePort(probe);
  probe.close();
  await once(probe, "close");
  return port;
}
