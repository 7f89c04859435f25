import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { writeScript } from "../programs/find-programs.ts";
import { CHECKOUT, TOOLS_DIR } from "../stack/settings.ts";

/** The oldest servers that are supported: docs/kubernetes.md. */
export const OLDEST_IMAGES = { postgres: "postgres:15", redis: "redis:7" } as const;

export async function isDockerAvailable(): Promise<boolean> {
  const args = ["version", "--format", "{{.Server.Version}}"];
  const { failed } = await execa("docker", args, { reject: false, timeout: 10_000 });
  return !failed;
}

/** Returns true if Docker has or gets the images of TEST_IMAGES. */
export async function hasTestImages(): Promise<boolean> {
  if (!(await isDockerAvailable())) return false;
  const run = (...args: string[]) => execa("docker", args, { stdin: "ignore", reject: false });
  for (const image of [...Object.values(OLDEST_IMAGES), nginxImage()]) {
    if (!(await run("image", "inspect", image)).failed) continue;
    console.log(`Pulling ${image} with Docker …`);
    const { failed, stderr } = await run("pull", "--quiet", image);
    if (!failed) continue;
    console.log(`Docker could not pull ${image}: ${stderr} Tests with images do not run.`);
    return false;
  }
  return true;
}

/**
 * @returns a script that runs the nginx that is shipped in a container, with this machine's network and user, and with the
 * temporary folder at the same path
 */
export function nginxOfImage(): Promise<string> {
  if (process.platform !== "linux") {
    console.log("Docker Desktop: enable host networking (Settings, Resources, Network).");
  }
  return writeScript(
    join(TOOLS_DIR, "images", "bin", "nginx"),
    `exec docker run --rm --network host --user "$(id -u):$(id -g)" \\
  --volume "${tmpdir()}:${tmpdir()}" --workdir "${tmpdir()}" --entrypoint nginx ${nginxImage()} "$@"
`,
  );
}

/** NGINX_IMAGE, else that of docker-compose.yml. */
function nginxImage(): string {
  if (process.env.NGINX_IMAGE) return process.env.NGINX_IMAGE;
  const [, image] = /\{NGINX_IMAGE:-([^}]+)}/.exec(readFileSync(join(CHECKOUT, "docker-compose.yml"), "utf8")) ?? [];
  if (image === undefined) throw new Error("docker-compose.yml has no NGINX_IMAGE.");
  return image;
}
