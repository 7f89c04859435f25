import type { ProcessPlan } from "@tapthru/local/running-process";
import type { Wire } from "./wire.ts";

/** Leads a service to a server by way of a wire. */
export function detour(setting: "DATABASE_URL" | "REDIS_CACHE_URL", { port }: Pick<Wire, "port">) {
  return (plan: ProcessPlan): ProcessPlan => {
    const url = new URL(plan.env?.[setting] ?? "");
    url.port = String(port);
    return { ...plan, env: { ...plan.env, [setting]: url.href } };
  };
}
