import getPort from "get-port";
import { UserFacingError } from "../user-facing-error.ts";

const LAST_PORT = 65_535;

export interface NeededPort {
  /** The name of the setting that determines it. */
  setting: string;
  port: number;
}

/** @throws UserFacingError with the first port that is needed twice, does not exist or is in use */
export async function requireFreePorts(needed: readonly NeededPort[]): Promise<void> {
  requireDistinctPorts(needed);
  for (const { setting, port } of needed) {
    if (port > LAST_PORT) {
      throw new UserFacingError(`There is no port ${port}: set a lower ${setting}.`);
    }
    if ((await getPort({ port })) !== port) {
      throw new UserFacingError(
        `Port ${port} is in use: stop the program that listens on it, or set ${setting}.`,
      );
    }
  }
}

function requireDistinctPorts(needed: readonly NeededPort[]): void {
  for (const one of needed) {
    const first = needed.find(({ port }) => port === one.port);
    if (first === undefined || first === one) continue;
    throw new UserFacingError(
      `${first.setting} and ${one.setting} are both ${one.port}: set different ports.`,
    );
  }
}
