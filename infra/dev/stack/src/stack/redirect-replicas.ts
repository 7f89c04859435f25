import type { Settings } from "./settings.ts";

/** How much higher the ports of a replica are than those of the one before it. */
const REPLICA_PORT_STEP = 100;

export interface RedirectReplica {
  name: string;
  port: number;
  adminPort: number;
}

/** The replicas that `start` runs. The first one has the ports of the settings. */
export function redirectReplicasOf({
  ports,
  redirectReplicas,
}: Pick<Settings, "ports" | "redirectReplicas">): [RedirectReplica, ...RedirectReplica[]] {
  const replica = (index: number): RedirectReplica => ({
    name: index === 0 ? "redirect" : `redirect-${index + 1}`,
    port: ports.REDIRECT_PORT + index * REPLICA_PORT_STEP,
    adminPort: ports.REDIRECT_ADMIN_PORT + index * REPLICA_PORT_STEP,
  });
  const others = Array.from({ length: redirectReplicas - 1 }, (_, index) => replica(index + 1));
  return [replica(0), ...others];
}
