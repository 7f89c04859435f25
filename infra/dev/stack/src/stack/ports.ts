import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import getPort from "get-port";
import { redirectReplicasOf } from "./redirect-replicas.ts";
import { PORT_NAMES, type PortName, type Settings } from "./settings.ts";

/** @throws UserFacingError with the first port that is in use */
export async function requireFreePorts(settings: Settings, unused: readonly PortName[]): Promise<void> {
  for (const name of PORT_NAMES) {
    if (!unused.includes(name)) await requireFree(name, settings.ports[name]);
  }
  for (const { port, adminPort } of redirectReplicasOf(settings).slice(1)) {
    await requireFree("REDIRECT_PORT", port);
    await requireFree("REDIRECT_ADMIN_PORT", adminPort);
  }
}

async function requireFree(setting: PortName, port: number): Promise<void> {
  if ((await getPort({ port })) === port) return;
  throw new UserFacingError(`Port ${port} is in use: stop the program that listens on it, or set ${setting}.`);
}
