import { UserFacingError } from "@tapthru/local/user-facing-error";
import { readPods } from "./cluster-state.ts";
import type { Kubectl } from "./kubectl.ts";

/**
 * Drains a node on which no pod is ready. With the default policy a disruption budget prevents the eviction of
 * running pods that are not ready, and the node could never be replaced.
 * @returns the figures
 * @throws if a pod remains
 */
export async function drainUnready(kubectl: Kubectl, namespace: string): Promise<string> {
  const pods = await readPods(kubectl, namespace);
  const [node = ""] = pods.flatMap(({ spec }) => spec.nodeName ?? []);
  for (const { metadata } of pods.filter(({ status }) => status.phase === "Running")) {
    const target = ["pod", metadata.name, "-n", namespace];
    await kubectl.run(["patch", ...target, "--subresource=status", `--patch=${NOT_READY}`]);
  }
  const output = await kubectl.run([
    "drain",
    node,
    "--delete-emptydir-data",
    "--ignore-daemonsets",
    "--timeout=60s",
  ]);
  const evicted = [...output.matchAll(/^pod\/\S+ evicted$/gm)].length;
  const left = (await readPods(kubectl, namespace)).filter(({ spec }) => spec.nodeName === node);
  if (evicted === 0 || left.length > 0)
    throw new UserFacingError(`${node} was not drained:\n${output}`);
  await kubectl.run(["uncordon", node]);
  return `${evicted} pods evicted from ${node}`;
}

const NOT_READY = JSON.stringify({
  status: {
    conditions: ["Ready", "ContainersReady"].map((type) => ({ type, status: "False" })),
  },
});
