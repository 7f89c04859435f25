import type { Workload } from "./cluster-state.ts";

/**
 * Returns the errors in the order of a rollout: the migration has to complete before a service gets its new image.
 * @param workloads of one namespace, after the rollout
 * @param before workloads before the rollout; those that already ran the release are ignored
 * @param tag image tag of the release
 */
export function findOrderErrors(
  workloads: readonly Workload[],
  before: readonly Workload[],
  tag: string,
): string[] {
  const migration = workloads.find(
    ({ kind, metadata }) => kind === "Job" && metadata.name === "migrate",
  );
  const completedAt = migration?.status.completionTime;
  if (!migration || imageOf(migration) !== tag) return [`The migration of ${tag} did not run.`];
  if (completedAt === undefined) return [`The migration of ${tag} did not complete.`];
  const previousNames = before.map(({ metadata }) => metadata.name);
  const created = workloads.filter(({ metadata }) => !previousNames.includes(metadata.name));
  return workloads
    .filter(hasReleaseImage)
    .flatMap((deployment) => findOrderError(deployment, created, tag, completedAt));
}

function findOrderError(
  { metadata: { name }, ...deployment }: Workload,
  workloads: readonly Workload[],
  tag: string,
  completedAt: string,
): string[] {
  if (imageOf(deployment) !== tag) return [`${name} does not run ${tag}.`];
  const rollout = workloads.find(
    (workload) =>
      workload.kind === "ReplicaSet" &&
      workload.metadata.labels["app.kubernetes.io/name"] === name &&
      imageOf(workload) === tag,
  );
  const created = rollout?.metadata.creationTimestamp;
  // Kubernetes writes whole seconds, in UTC.
  return created !== undefined && created < completedAt
    ? [`${name} was rolled out at ${created}, before ${completedAt}.`]
    : [];
}

/** Whether each release replaces the image of the workload; false for the blackbox exporter. */
export function hasReleaseImage({ kind, spec }: Workload): boolean {
  const [{ image }] = spec.template.spec.containers;
  return kind === "Deployment" && /(^|\/)tapthru\//.test(image);
}

/** The image tag of the workload. */
export function imageOf({ spec }: Pick<Workload, "spec">): string {
  const [{ image }] = spec.template.spec.containers;
  return image.slice(image.lastIndexOf(":") + 1);
}
