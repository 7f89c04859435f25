import { join } from "node:path";
import type { Secrets } from "@tapthru/local/stack/secrets";
import { type ServicePlan, servicePlans } from "@tapthru/local/stack/service-plans";
import type { Settings } from "@tapthru/local/stack/settings";

interface ReplicaUrls {
  cacheUrl: string;
  queueUrl: string;
  /** The queue Redis through the fault proxy. */
  apiQueueUrl: string;
  standInUrl: string;
}

/** The plans of one replica of each service, such as "redirect-1", "api-1" and "worker-1". */
export function replicaPlans(
  number: 1 | 2,
  settings: Settings,
  secrets: Secrets,
  { cacheUrl, queueUrl, apiQueueUrl, standInUrl }: ReplicaUrls,
): ServicePlan[] {
  return servicePlans(settings, secrets, { watch: false, standInUrl }).map((plan) => {
    const name = `${plan.process.name}-${number}`;
    const env = {
      ...plan.process.env,
      REDIS_CACHE_URL: cacheUrl,
      REDIS_SESSION_URL: cacheUrl,
      // All load comes from one address.
      RATE_LIMITS: "off",
      REDIS_QUEUE_URL: plan.process.name === "api" ? apiQueueUrl : queueUrl,
    };
    const logFile = join(settings.logsDir, `${name}.log`);
    return { ...plan, process: { ...plan.process, name, env, logFile } };
  });
}
