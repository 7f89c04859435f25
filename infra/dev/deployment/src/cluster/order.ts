import type { Workload } from "./cluster-state.ts";

/**
 * What is wrong with the order in which a release was rolled out: the migration has to complete before any
 * service gets its new image. Empty when all of it is right.
 * @param workloads of one namespace, after the rollout
 * @param before those before it: what already ran the release then was not rolled out
 * @param tag of the images of the release
 */
export function faultsOfOrder(
  workloads: readonly Workload[],
  before: readonly Workload[],
  tag: string,
): string[] {
  const migration = workloads.find(
    ({ kind, metadata }) => kind === "Job" && metadata.name === "migrate",
  );
  const completed = migration?.status.completionTime;
  if (!migration || imageOf(migration) !== tag) return [`The migration of ${tag} did not run.`];
  if (completed === undefined) return [`The migration of ${tag} did not complete.`];
  const former = before.map(({ metadata }) => metadata.name);
  const begun = workloads.filter(({ metadata }) => !former.includes(metadata.name));
  return workloads
    .filter(isOfRelease)
    .flatMap((deployment) => faultOf(deployment, begun, tag, completed));
}

function faultOf(
  { metadata: { name }, ...deployment }: Workload,
  workloads: readonly Workload[],
  tag: string,
  completed: string,
): string[] {
  if (imageOf(deployment) !== tag) return [`${name} does not run ${tag}.`];
  const rollout = workloads.find(
    (workload) =>
      workload.kind === "ReplicaSet" &&
      workload.metadata.labels["app.kubernetes.io/name"] === name &&
      imageOf(workload) === tag,
  );
  const begun = rollout?.metadata.creationTimestamp;
  // Kubernetes writes whole seconds, in UTC.
  return begun !== undefined && begun < completed
    ? [`${name} was rolled out at ${begun}, before ${completed}.`]
    : [];
}

/** Whether it is a service whose image each release replaces: not that of the blackbox exporter. */
export function isOfRelease({ kind, spec }: Workload): boolean {
  const [{ image }] = spec.template.spec.containers;
  return kind === "Deployment" && /(^|\/)tapthru\//.test(image);
}

/** The tag of the image that the workload runs. */
export function imageOf({ spec }: Pick<Workload, "spec">): string {
  const [{ image }] = spec.template.spec.containers;
  return image.slice(image.lastIndexOf(":") + 1);
}
