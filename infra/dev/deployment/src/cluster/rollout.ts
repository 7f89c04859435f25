import { waitFor } from "@tapthru/local/stack/wait-for";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { type Pod, readPods, readWorkloads, type Workload } from "./cluster-state.ts";
import { deploy, deployCleanly } from "./deploy.ts";
import type { Kubectl } from "./kubectl.ts";
import { faultsOfOrder, imageOf, isOfRelease } from "./order.ts";

/** The least number of pods of each service: minReplicas of the autoscalers, replicas of the others. */
const LEAST = { redirect: 3, api: 2, gateway: 2, worker: 1 };
const WITHIN_MS = 60_000;

/**
 * Deploys a release and judges it: accepted without a warning, the migration first, every pod running.
 * @param tag of the release's images
 * @returns a sentence with the figures
 * @throws PlainError naming what is wrong
 */
export async function rollOut(
  kubectl: Kubectl,
  { overlay, namespace, tag }: { overlay: string; namespace: string; tag: string },
  signal: AbortSignal,
): Promise<string> {
  const before = await readWorkloads(kubectl, namespace);
  const accepted = await deployCleanly(kubectl, overlay, signal);
  const faults = faultsOfOrder(await readWorkloads(kubectl, namespace), before, tag);
  if (faults.length > 0) throw new UserFacingError(faults.join("\n"));
  const pods = await untilAllRun(kubectl, namespace, signal);
  const nodes = new Set(pods.map(({ spec }) => spec.nodeName));
  return `${accepted.length} objects accepted, ${pods.length} pods running on ${nodes.size} nodes`;
}

async function untilAllRun(kubectl: Kubectl, namespace: string, signal: AbortSignal) {
  let pods: Pod[] = [];
  const allRun = async () => {
    if (!(await readWorkloads(kubectl, namespace)).every(isComplete)) return false;
    pods = (await readPods(kubectl, namespace)).filter(
      ({ status }) => status.phase !== "Succeeded",
    );
    return pods.every(
      ({ metadata, status }) => status.phase === "Running" && !metadata.deletionTimestamp,
    );
  };
  if (await waitFor(allRun, { within: WITHIN_MS, every: 500, signal })) return pods;
  throw new UserFacingError(await kubectl.run(["get", "pods,events", "-n", namespace]));
}

function isComplete({ kind, metadata, spec, status }: Workload): boolean {
  const { replicas = 1 } = spec;
  const { readyReplicas = 0 } = status;
  if (kind === "StatefulSet") return readyReplicas === replicas;
  if (kind !== "Deployment") return true;
  const least = LEAST[metadata.name as keyof typeof LEAST] ?? 1;
  return readyReplicas >= least && readyReplicas === replicas;
}

/** Deploys a release whose migration fails; @throws PlainError when that changes a service or is not reported. */
export async function failToRollOut(
  kubectl: Kubectl,
  { overlay, namespace }: { overlay: string; namespace: string },
  signal: AbortSignal,
): Promise<string> {
  const images = async () =>
    (await readWorkloads(kubectl, namespace))
      .filter(isOfRelease)
      .map((deployment) => `${deployment.metadata.name} ${imageOf(deployment)}`);
  const before = await images();
  const { succeeded, output } = await deploy(kubectl, overlay, signal);
  if (succeeded || !output.endsWith("The migration failed. No service was changed.")) {
    throw new UserFacingError(`k8s/deploy.sh did not report that the migration failed:\n${output}`);
  }
  const after = await images();
  if (after.join() === before.join()) return `unchanged: ${after.join(", ")}`;
  throw new UserFacingError(`The migration failed, but services were changed: ${after.join(", ")}`);
}
