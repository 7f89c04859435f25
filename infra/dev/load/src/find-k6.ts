import { isDockerAvailable } from "@tapthru/local/programs/docker";
import { onPath } from "@tapthru/local/programs/on-path";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { UserFacingError } from "@tapthru/local/user-facing-error";

const IMAGE = "grafana/k6:1.8.1";

/** What has to be run before k6's own arguments. */
export interface K6 {
  command: string;
  args: readonly string[];
}

/**
 * k6 of the PATH, else in a container that sees this machine's network and, at the same path, the
 * checkout.
 * @throws PlainError where there is neither
 */
export async function findK6(): Promise<K6> {
  const command = onPath("k6");
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
