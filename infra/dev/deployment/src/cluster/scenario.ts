import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { execa } from "execa";
import { addDefinitions } from "./definitions.ts";
import { drainUnready } from "./drain.ts";
import type { Kubectl } from "./kubectl.ts";
import { addNodes } from "./nodes.ts";
import { K8S, type Release, writeRelease } from "./release.ts";
import { deployFailingRelease, rollOut } from "./rollout.ts";

interface Step {
  title: string;
  /** A string that it returns is printed. */
  work(): Promise<unknown>;
}

/** Differs from the overlay's namespace, so that hard-coded addresses fail. */
const NAMESPACE = "links";
const SECRETS = join(K8S, "overlays", "production", "secrets");
const RULES = join(CHECKOUT, "infra", "monitoring", "src", "write-prometheus-rule.ts");

/** The steps on a new cluster, in order. @param folder for copies of the manifests */
export function clusterSteps(kubectl: Kubectl, folder: string, signal: AbortSignal): Step[] {
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
    { title: "nodes", work: () => addNodes(kubectl) },
    { title: "local overlay", work: () => rollOut(kubectl, local, signal) },
    { title: "local overlay again", work: () => rollOut(kubectl, local, signal) },
    { title: "production secrets", work: () => createSecrets(kubectl) },
    {
      title: "production overlay with all components",
      work: () => rollOut(kubectl, first, signal),
    },
    { title: "Prometheus rules", work: () => applyRules(kubectl) },
    { title: "upgrade", work: () => rollOut(kubectl, second, signal) },
    {
      title: "upgrade with a failing migration",
      work: () => deployFailingRelease(kubectl, failing, signal),
    },
    {
      title: "the same upgrade with a working migration",
      work: () => rollOut(kubectl, third, signal),
    },
    {
      title: "drain of a node with pods that are not ready",
      work: () => drainUnready(kubectl, NAMESPACE),
    },
  ];
}

/** Creates the secrets as described in docs/OPERATIONS.md. */
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
