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
 * Fetches the image and writes a script that runs the program in a container as if it were here: same
 * network, same user, and at the same paths the data folder and the folder for temporary files.
 * @throws PlainError with what Docker printed where it cannot fetch the image
 */
export async function wrapInDocker(
  { name, dockerImage }: Program,
  toolsDir: string,
): Promise<string> {
  const { failed } = await execa("docker", ["image", "inspect", dockerImage], { reject: false });
  if (failed) {
    console.log(`… fetching ${dockerImage} with Docker`);
    const args = ["pull", "--quiet", dockerImage];
    const { failed: isMissing, stderr } = await execa("docker", args, {
      stdin: "ignore",
      reject: false,
    });
    if (isMissing) throw new UserFacingError(`Docker could not fetch ${dockerImage}: ${stderr}`);
  }
  if (process.platform !== "linux") {
    console.log("… Docker Desktop: switch on host networking (Settings, Resources, Network)");
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
