import { join } from "node:path";
import { PlainError } from "@tapthru/local/plain-error";
import { execa } from "execa";
import type { Kubectl } from "./kubectl.ts";
import { K8S } from "./release.ts";

/** Runs k8s/deploy.sh. */
export async function deploy(kubectl: Kubectl, overlay: string, cancelSignal: AbortSignal) {
  const script = join(K8S, "deploy.sh");
  const { env } = kubectl;
  const { exitCode, all } = await execa("sh", [script, overlay], {
    env,
    cancelSignal,
    all: true,
    reject: false,
  });
  return { succeeded: exitCode === 0, output: all };
}

/** As `deploy`; @throws PlainError when it fails, or the API server warns. */
export async function deployCleanly(
  kubectl: Kubectl,
  overlay: string,
  signal: AbortSignal,
): Promise<string[]> {
  const { succeeded, output } = await deploy(kubectl, overlay, signal);
  if (!succeeded) throw new PlainError(`k8s/deploy.sh failed:\n${output}`);
  const warnings = warningsIn(output);
  if (warnings.length > 0) throw new PlainError(warnings.join("\n"));
  return acceptedIn(output);
}

/** The warnings of the API server: deprecated kinds, pods that the namespace would refuse. */
export function warningsIn(output: string): string[] {
  return output.split("\n").filter((line) => line.startsWith("Warning: "));
}

/** The objects that the API server accepted, as kubectl apply names them: "service/api". */
export function acceptedIn(output: string): string[] {
  return [...output.matchAll(/^(\S+\/\S+) (?:created|configured|unchanged)$/gm)].map(
    ([, object = ""]) => object,
  );
}
