import { tmpdir } from "node:os";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { execa } from "execa";

/** The oldest servers that are supported: docs/kubernetes.md. */
export const OLDEST_IMAGES = { postgres: "postgres:15", redis: "redis:7" } as const;

export async function isDockerAvailable(): Promise<boolean> {
  const args = ["version", "--format", "{{.Server.Version}}"];
  const { failed } = await execa("docker", args, { reject: false, timeout: 10_000 });
  return !failed;
}

/**
 * Pulls a missing image.
 * @returns a shell script that runs the program in a container with this machine's network and user, and with the data
 * folder, which is two levels above it, and the temporary folder at the same paths
 * @throws UserFacingError with Docker's output if it cannot pull the image
 */
export async function pullImage(name: string, image: string): Promise<string> {
  const run = (...args: string[]) => execa("docker", args, { stdin: "ignore", reject: false });
  if ((await run("image", "inspect", image)).failed) {
    console.log(`Pulling ${image} with Docker …`);
    const { failed, stderr } = await run("pull", "--quiet", image);
    if (failed) throw new UserFacingError(`Docker could not pull ${image}: ${stderr}`);
  }
  if (process.platform !== "linux") {
    console.log("Docker Desktop: enable host networking (Settings, Resources, Network).");
  }
  return `data=$(cd "\${0%/*}/../.." && pwd)
exec docker run --rm --network host --user "$(id -u):$(id -g)" \\
  --volume "$data:$data" --volume "${tmpdir()}:${tmpdir()}" --workdir "$data" \\
  --entrypoint ${name} ${image} "$@"
`;
}
