import { join } from "node:path";
import type { Secrets } from "@tapthru/local/secrets";
import { type ServicePlan, servicePlans } from "@tapthru/local/service-plans";
import type { Settings } from "@tapthru/local/settings";

interface Redises {
  cache: string;
  queue: string;
}

/** The plans of one replica of every service: "redirect-1", "api-1", "worker-1". */
export function replicaPlans(
  number: number,
  settings: Settings,
  secrets: Secrets,
  { redises, standInUrl }: { redises: Redises; standInUrl: string },
): ServicePlan[] {
  return servicePlans(settings, secrets, { watch: false, standInUrl }).map((plan) => {
    const name = `${plan.process.name}-${number}`;
    const env = {
      ...plan.process.env,
      REDIS_CACHE_URL: redises.cache,
      REDIS_QUEUE_URL: redises.queue,
      REDIS_SESSION_URL: redises.cache,
    };
    const logFile = join(settings.logsDir, `${name}.log`);
    return { ...plan, process: { ...plan.process, name, env, logFile } };
  });
}
