import { UserFacingError } from "@tapthru/local/user-facing-error";
import { readPods } from "./cluster-state.ts";
import type { Kubectl } from "./kubectl.ts";

/**
 * Drains a node as its operator does, where no pod of the namespace is ready. By default a budget forbids to evict
 * pods that run and are not ready, so that the node could never be replaced.
 * @returns a sentence with the figures; throws when a pod stays
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
