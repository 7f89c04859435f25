import type { ProcessPlan } from "@tapthru/local/processes/running-process";
import type { FaultProxy } from "./fault-proxy.ts";

/** Changes a service's plan so that it connects to a server through a fault proxy. */
export function routeThrough(
  setting: "DATABASE_URL" | "REDIS_CACHE_URL",
  { port }: Pick<FaultProxy, "port">,
) {
  return (plan: ProcessPlan): ProcessPlan => {
    const url = new URL(plan.env?.[setting] ?? "");
    url.port = String(port);
    return { ...plan, env: { ...plan.env, [setting]: url.href } };
  };
}
