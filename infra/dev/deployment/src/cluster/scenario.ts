import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { execa } from "execa";
import { addDefinitions } from "./definitions.ts";
import { drainUnready } from "./drain.ts";
import type { Kubectl } from "./kubectl.ts";
import { addMachines } from "./machines.ts";
import { K8S, type Release, writeRelease } from "./release.ts";
import { failToRollOut, rollOut } from "./rollout.ts";

interface Step {
  title: string;
  /** @returns a sentence with figures, or nothing */
  // biome-ignore lint/suspicious/noConfusingVoidType: a step may have no figures.
  work(): Promise<string | void>;
}

/** Not that of the overlay, so that an address with another namespace would show. */
const NAMESPACE = "links";
const SECRETS = join(K8S, "overlays", "production", "secrets");
const RULES = join(CHECKOUT, "infra", "monitoring", "src", "write-prometheus-rule.ts");

/** What is done at a new cluster, in this order. @param folder for the copies of the manifests */
export function steps(kubectl: Kubectl, folder: string, signal: AbortSignal): Step[] {
  const local = { overlay: join(K8S, "overlays", "local"), namespace: "tapthru", tag: "local" };
  const release = (name: string, changes: Release) => ({
    overlay: writeRelease(join(folder, name), NAMESPACE, changes),
    namespace: NAMESPACE,
    tag: changes.tag,
  });
  const first = release("first", { tag: "1" });
  const second = release("second", { tag: "2" });
  const failing = release("failing", { tag: "3", migrationFails: true });
  const third = release("third", { tag: "3" });
  return [
    {
      title: "definitions of the Gateway API, KEDA and Prometheus",
      work: () => addDefinitions(kubectl),
    },
    { title: "nodes", work: () => addMachines(kubectl) },
    { title: "overlay local", work: () => rollOut(kubectl, local, signal) },
    { title: "overlay local again", work: () => rollOut(kubectl, local, signal) },
    { title: "secrets of production", work: () => createSecrets(kubectl) },
    { title: "overlay production, all components", work: () => rollOut(kubectl, first, signal) },
    { title: "rules of Prometheus", work: () => applyRules(kubectl) },
    { title: "upgrade", work: () => rollOut(kubectl, second, signal) },
    { title: "upgrade whose migration fails", work: () => failToRollOut(kubectl, failing, signal) },
    { title: "the same upgrade, repaired", work: () => rollOut(kubectl, third, signal) },
    {
      title: "drain of a node whose pods are not ready",
      work: () => drainUnready(kubectl, NAMESPACE),
    },
  ];
}

/** As docs/OPERATIONS.md says. */
async function createSecrets(kubectl: Kubectl): Promise<string> {
  await kubectl.run(["create", "namespace", NAMESPACE, "--save-config"]);
  const examples = readdirSync(SECRETS).filter((name) => name.endsWith(".env.example"));
  for (const example of examples) {
    const name = `tapthru-${example.replace(".env.example", "")}`;
    const values = `--from-env-file=${join(SECRETS, example)}`;
    await kubectl.run(["-n", NAMESPACE, "create", "secret", "generic", name, values]);
  }
  return `${examples.length} secrets`;
}

async function applyRules(kubectl: Kubectl): Promise<string> {
  const { stdout } = await execa(process.execPath, [RULES, "https://git.example.com/"]);
  return kubectl.run(["-n", NAMESPACE, "apply", "-f", "-"], stdout);
}
