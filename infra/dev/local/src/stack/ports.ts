import { connect, createServer } from "node:net";
import { UserFacingError } from "../user-facing-error.ts";
import type { PortName, Settings } from "./settings.ts";

const LOOPBACK = ["127.0.0.1", "::1"];

/** @throws UserFacingError with the first port that two settings have or that is in use */
export async function requireFreePorts(
  names: readonly PortName[],
  { ports }: Settings,
): Promise<void> {
  requireDistinctPorts(names, ports);
  for (const name of names) {
    const port = ports[name];
    if (await isInUse(port)) {
      throw new UserFacingError(
        `Port ${port} is in use: stop the program that listens on it, or set ${name}.`,
      );
    }
  }
}

function requireDistinctPorts(names: readonly PortName[], ports: Settings["ports"]): void {
  for (const name of names) {
    const first = names.find((other) => ports[other] === ports[name]);
    if (first === undefined || first === name) continue;
    throw new UserFacingError(`${first} and ${name} are both ${ports[name]}: set different ports.`);
  }
}

async function isInUse(port: number): Promise<boolean> {
  const connected = await Promise.all(LOOPBACK.map((host) => canConnect(port, host)));
  return connected.includes(true) || !(await canListen(port));
}

function canConnect(port: number, host: string): Promise<boolean> {
  const socket = connect({ port, host });
  return new Promise((resolve) => {
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
