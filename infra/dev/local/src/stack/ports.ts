import getPort from "get-port";
import { UserFacingError } from "../user-facing-error.ts";
import type { PortName, Settings } from "./settings.ts";

/** @throws UserFacingError with the first port that two settings have or that is in use */
export async function requireFreePorts(
  names: readonly PortName[],
  { ports }: Settings,
): Promise<void> {
  requireDistinctPorts(names, ports);
  for (const name of names) {
    const port = ports[name];
    if ((await getPort({ port })) !== port) {
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
