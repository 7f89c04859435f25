import { tmpdir } from "node:os";
import { execa } from "execa";
import { UserFacingError } from "../user-facing-error.ts";
import type { Program } from "./programs.ts";
import { writeWrapper } from "./wrapper.ts";

export async function isDockerAvailable(): Promise<boolean> {
  const args = ["version", "--format", "{{.Server.Version}}"];
  const { failed } = await execa("docker", args, { reject: false, timeout: 10_000 });
  return !failed;
}

/**
 * Pulls the image and writes a script that runs the program in a container with this machine's network
 * and user, and with the data folder and the temporary folder at the same paths.
 * @throws UserFacingError with Docker's output if it cannot pull the image
 */
export async function wrapInDocker(
  { name, dockerImage }: Program,
  toolsDir: string,
): Promise<string> {
  const { failed } = await execa("docker", ["image", "inspect", dockerImage], { reject: false });
  if (failed) {
    console.log(`Pulling ${dockerImage} with Docker …`);
    const args = ["pull", "--quiet", dockerImage];
    const { failed: isMissing, stderr } = await execa("docker", args, {
      stdin: "ignore",
      reject: false,
    });
    if (isMissing) throw new UserFacingError(`Docker could not pull ${dockerImage}: ${stderr}`);
  }
  if (process.platform !== "linux") {
    console.log("Docker Desktop: enable host networking (Settings, Resources, Network).");
  }
  return writeWrapper(
    name,
    toolsDir,
    `data=$(cd "\${0%/*}/../.." && pwd)
exec docker run --rm --network host --user "$(id -u):$(id -g)" \\
  --volume "$data:$data" --volume "${tmpdir()}:${tmpdir()}" --workdir "$data" \\
  --entrypoint ${name} ${dockerImage} "$@"
`,
  );
}
