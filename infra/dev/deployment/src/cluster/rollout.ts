import { waitFor } from "@tapthru/local/stack/wait-for";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import {
  type Pod,
  readMinimumPods,
  readPods,
  readWorkloads,
  type Workload,
} from "./cluster-state.ts";
import { deploy, deployCleanly } from "./deploy.ts";
import type { Kubectl } from "./kubectl.ts";
import { findOrderErrors, hasReleaseImage, imageOf } from "./order.ts";

const TIMEOUT_MS = 60_000;

/**
 * Deploys a release and checks that it is accepted without a warning, the migration runs first and all pods run.
 * @param tag image tag of the release
 * @returns the figures
 * @throws UserFacingError with the errors
 */
export async function rollOut(
  kubectl: Kubectl,
  { overlay, namespace, tag }: { overlay: string; namespace: string; tag: string },
  signal: AbortSignal,
): Promise<string> {
  const before = await readWorkloads(kubectl, namespace);
  const figures = await deployAndWait(kubectl, { overlay, namespace }, signal);
  const errors = findOrderErrors(await readWorkloads(kubectl, namespace), before, tag);
  if (errors.length > 0) throw new UserFacingError(errors.join("\n"));
  return figures;
}

/**
 * Deploys a further region and checks that it is accepted without a warning, has no migration and all pods run.
 * @returns the figures
 * @throws UserFacingError with the error
 */
export async function rollOutRegion(
  kubectl: Kubectl,
  release: { overlay: string; namespace: string },
  signal: AbortSignal,
): Promise<string> {
  const figures = await deployAndWait(kubectl, release, signal);
  const workloads = await readWorkloads(kubectl, release.namespace);
  const deployments = workloads.filter(hasReleaseImage).map(({ metadata }) => metadata.name);
  if (workloads.some(({ kind }) => kind === "Job"))
    throw new UserFacingError("The further region ran a migration.");
  return `${figures}: ${deployments.join(", ")}`;
}

async function deployAndWait(
  kubectl: Kubectl,
  { overlay, namespace }: { overlay: string; namespace: string },
  signal: AbortSignal,
): Promise<string> {
  const accepted = await deployCleanly(kubectl, overlay, signal);
  const pods = await waitUntilRunning(kubectl, namespace, signal);
  const nodes = new Set(pods.map(({ spec }) => spec.nodeName));
  return `${accepted.length} objects accepted, ${pods.length} pods running on ${nodes.size} nodes`;
}

async function waitUntilRunning(kubectl: Kubectl, namespace: string, signal: AbortSignal) {
  let pods: Pod[] = [];
  // KEDA does not run here, so a service that it would scale has one pod.
  const minimum = await readMinimumPods(kubectl, namespace);
  const allRun = async () => {
    const workloads = await readWorkloads(kubectl, namespace);
    if (!workloads.every((workload) => isComplete(workload, minimum))) return false;
    pods = (await readPods(kubectl, namespace)).filter(
      ({ status }) => status.phase !== "Succeeded",
    );
    return pods.every(
      ({ metadata, status }) => status.phase === "Running" && !metadata.deletionTimestamp,
    );
  };
  if (await waitFor(allRun, { within: TIMEOUT_MS, every: 500, signal })) return pods;
  throw new UserFacingError(await kubectl.run(["get", "pods,events", "-n", namespace]));
}

function isComplete(
  { kind, metadata, spec, status }: Workload,
  minimum: ReadonlyMap<string, number>,
): boolean {
  const { replicas = 1 } = spec;
  const { readyReplicas = 0 } = status;
  if (kind === "StatefulSet") return readyReplicas === replicas;
  if (kind !== "Deployment") return true;
  return readyReplicas >= (minimum.get(metadata.name) ?? 1) && readyReplicas === replicas;
}

/** Deploys a release whose migration fails; @throws UserFacingError when a service changes or nothing is reported. */
export async function deployFailingRelease(
  kubectl: Kubectl,
  { overlay, namespace }: { overlay: string; namespace: string },
  signal: AbortSignal,
): Promise<string> {
  const images = async () =>
    (await readWorkloads(kubectl, namespace))
      .filter(hasReleaseImage)
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
