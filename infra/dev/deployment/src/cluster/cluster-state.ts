import * as z from "zod/mini";
import type { Kubectl } from "./kubectl.ts";

const metadata = z.object({
  name: z.string(),
  creationTimestamp: z.string(),
  deletionTimestamp: z.optional(z.string()),
  labels: z._default(z.record(z.string(), z.string()), {}),
});
const template = z.object({
  spec: z.object({ containers: z.tuple([z.object({ image: z.string() })]) }),
});

const Workload = z.object({
  kind: z.enum(["Deployment", "ReplicaSet", "StatefulSet", "Job"]),
  metadata,
  spec: z.object({ replicas: z.optional(z.number()), template }),
  status: z.object({
    readyReplicas: z.optional(z.number()),
    completionTime: z.optional(z.string()),
  }),
});
const Pod = z.object({
  metadata,
  spec: z.object({ nodeName: z.optional(z.string()) }),
  status: z.object({ phase: z.string() }),
});

const Autoscaler = z.object({
  spec: z.object({ scaleTargetRef: z.object({ name: z.string() }), minReplicas: z.number() }),
});

export type Workload = z.infer<typeof Workload>;
export type Pod = z.infer<typeof Pod>;

export function readWorkloads(kubectl: Kubectl, namespace: string): Promise<Workload[]> {
  return list(kubectl, namespace, "deployments,replicasets,statefulsets,jobs", Workload);
}

export function readPods(kubectl: Kubectl, namespace: string): Promise<Pod[]> {
  return list(kubectl, namespace, "pods", Pod);
}

/** The minimum number of pods of each deployment that has an autoscaler. */
export async function readMinimumPods(
  kubectl: Kubectl,
  namespace: string,
): Promise<ReadonlyMap<string, number>> {
  const autoscalers = await list(kubectl, namespace, "horizontalpodautoscalers", Autoscaler);
  return new Map(autoscalers.map(({ spec }) => [spec.scaleTargetRef.name, spec.minReplicas]));
}

async function list<Item>(
  kubectl: Kubectl,
  namespace: string,
  kinds: string,
  item: z.ZodMiniType<Item>,
): Promise<Item[]> {
  const text = await kubectl.run(["get", kinds, "-n", namespace, "-o", "json"]);
  return z.object({ items: z.array(item) }).parse(JSON.parse(text)).items;
}
