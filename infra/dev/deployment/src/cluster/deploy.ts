import { join } from "node:path";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { execa } from "execa";
import type { Kubectl } from "./kubectl.ts";
import { K8S } from "./release.ts";

const WARNING = "Warning: ";

/** Runs k8s/deploy.sh and stops it at a warning, because it would wait for pods that the namespace rejects. */
export async function deploy({ env }: Kubectl, overlay: string, signal: AbortSignal) {
  signal.throwIfAborted();
  const options = { env, all: true, reject: false, detached: true } as const;
  const script = execa("sh", [join(K8S, "deploy.sh"), overlay], options);
  // Ends the process group: kubectl runs as a child.
  const stop = () => script.pid && process.kill(-script.pid, "SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  const lines: string[] = [];
  for await (const line of script.iterable({ from: "all" })) {
    lines.push(line);
    if (line.startsWith(WARNING)) stop();
  }
  const { exitCode } = await script.finally(() => signal.removeEventListener("abort", stop));
  return { succeeded: exitCode === 0, output: lines.join("\n") };
}

/**
 * Like `deploy`, but fails on warnings of the API server.
 * @throws UserFacingError if it fails or the API server warns
 */
export async function deployCleanly(
  kubectl: Kubectl,
  overlay: string,
  signal: AbortSignal,
): Promise<string[]> {
  const { succeeded, output } = await deploy(kubectl, overlay, signal);
  const warnings = findWarnings(output);
  if (warnings.length > 0) throw new UserFacingError(warnings.join("\n"));
  if (!succeeded) throw new UserFacingError(`k8s/deploy.sh failed:\n${output}`);
  return findAcceptedObjects(output);
}

/** The warnings of the API server, such as deprecated kinds and pods that the namespace rejects. */
export function findWarnings(output: string): string[] {
  return output.split("\n").filter((line) => line.startsWith(WARNING));
}

/** The objects that the API server accepted, as kubectl apply names them: "service/api". */
export function findAcceptedObjects(output: string): string[] {
  return [...output.matchAll(/^(\S+\/\S+) (?:created|configured|unchanged)$/gm)].map(
    ([, object = ""]) => object,
  );
}
