import { isDockerAvailable } from "@tapthru/local/programs/docker";
import { findOnPath } from "@tapthru/local/programs/on-path";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { UserFacingError } from "@tapthru/local/user-facing-error";

const IMAGE = "grafana/k6:1.8.1";

/** The command that runs k6, before k6's own arguments. */
export interface K6 {
  command: string;
  args: readonly string[];
}

/**
 * Finds k6 on the PATH, or runs it in a container with the host network and the checkout at the same path.
 * @throws UserFacingError without k6 and Docker
 */
export async function findK6(): Promise<K6> {
  const command = findOnPath("k6");
  if (command !== null) return { command, args: [] };
  if (!(await isDockerAvailable())) {
    throw new UserFacingError(
      "Missing: k6. Install it (https://grafana.com/docs/k6/latest/set-up/install-k6), or start Docker.",
    );
  }
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const inContainer = ["run", "--rm", "--network", "host", "--user", user];
  const folders = ["--volume", `${CHECKOUT}:${CHECKOUT}`, "--workdir", CHECKOUT];
  return { command: "docker", args: [...inContainer, ...folders, IMAGE] };
}
