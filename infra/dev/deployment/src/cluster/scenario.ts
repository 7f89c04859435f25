import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { execa } from "execa";
import { addDefinitions } from "./definitions.ts";
import { drainUnready } from "./drain.ts";
import type { Kubectl } from "./kubectl.ts";
import { addNodes } from "./nodes.ts";
import { K8S, type Release, writeRelease } from "./release.ts";
import { deployFailingRelease, rollOut, rollOutRegion } from "./rollout.ts";

interface Step {
  title: string;
  /** A string that it returns is printed. */
  work(): Promise<unknown>;
}

/** Differs from the overlay's namespace, so that hard-coded addresses fail. */
const NAMESPACE = "links";
const REGION_NAMESPACE = "links-eu";
const SECRETS = join(K8S, "overlays", "production", "secrets");
const EXAMPLE = ".env.example";
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
  const region = {
    overlay: writeRelease(join(folder, "region"), REGION_NAMESPACE, {
      tag: "3",
      isFurtherRegion: true,
    }),
    namespace: REGION_NAMESPACE,
  };
  return [
    {
      title: "definitions of the Gateway API, KEDA and Prometheus",
      work: () => addDefinitions(kubectl),
    },
    { title: "nodes", work: () => addNodes(kubectl) },
    { title: "local overlay", work: () => rollOut(kubectl, local, signal) },
    { title: "local overlay again", work: () => rollOut(kubectl, local, signal) },
    {
      title: "production secrets",
      work: () => createSecrets(kubectl, NAMESPACE, namesOfSecrets()),
    },
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
    {
      title: "secrets of a further region",
      work: () => createSecrets(kubectl, REGION_NAMESPACE, ["redirect", "region-relay"]),
    },
    { title: "further region", work: () => rollOutRegion(kubectl, region, signal) },
  ];
}

/** Creates the secrets as described in docs/OPERATIONS.md. */
async function createSecrets(
  kubectl: Kubectl,
  namespace: string,
  names: readonly string[],
): Promise<string> {
  await kubectl.run(["create", "namespace", namespace, "--save-config"]);
  for (const name of names) {
    const values = `--from-env-file=${join(SECRETS, `${name}${EXAMPLE}`)}`;
    await kubectl.run(["-n", namespace, "create", "secret", "generic", `tapthru-${name}`, values]);
  }
  return `${names.length} secrets`;
}

function namesOfSecrets(): string[] {
  return readdirSync(SECRETS)
    .filter((file) => file.endsWith(EXAMPLE))
    .map((file) => file.slice(0, -EXAMPLE.length));
}

async function applyRules(kubectl: Kubectl): Promise<string> {
  const { stdout } = await execa(process.execPath, [RULES, "https://git.example.com/"]);
  return kubectl.run(["-n", NAMESPACE, "apply", "-f", "-"], stdout);
}
