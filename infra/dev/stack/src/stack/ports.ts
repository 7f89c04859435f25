import getPort from "get-port";
import { UserFacingError } from "../user-facing-error.ts";
import { redirectReplicasOf } from "./redirect-replicas.ts";
import { PORT_NAMES, type PortName, type Settings } from "./settings.ts";

/** @throws UserFacingError with the first port that is in use */
export async function requireFreePorts(
  settings: Settings,
  unused: readonly PortName[],
): Promise<void> {
  const names = PORT_NAMES.filter((name) => !unused.includes(name));
  const replicas = redirectReplicasOf(settings).flatMap(({ port, adminPort }) => [
    ["REDIRECT_PORT", port] as const,
    ["REDIRECT_ADMIN_PORT", adminPort] as const,
  ]);
  for (const [name, port] of [
    ...names.map((name) => [name, settings.ports[name]] as const),
    ...replicas,
  ]) {
    if ((await getPort({ port })) !== port)
      throw new UserFacingError(
        `Port ${port} is in use: stop the program that listens on it, or set ${name}.`,
      );
  }
}
