import { readdirSync } from "node:fs";
import { join } from "node:path";
import { downloadModule } from "./go.ts";
import type { Kubectl } from "./kubectl.ts";
import { DEFINITIONS } from "./versions.ts";

/** Adds the custom resource definitions of the Gateway API, KEDA and the Prometheus Operator. */
export async function addDefinitions(kubectl: Kubectl): Promise<void> {
  for (const { module, folder } of DEFINITIONS) {
    const { Dir } = await downloadModule(module);
    const names = readdirSync(join(Dir, folder)).filter((name) => name !== "kustomization.yaml");
    const files = names.flatMap((name) => ["-f", join(Dir, folder, name)]);
    await kubectl.run(["apply", "--server-side", ...files]);
  }
  await kubectl.run(["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"]);
}
