import { readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { execa } from "execa";
import { CHECKOUT, TOOLS_DIR } from "../stack/settings.ts";
import { aptHasPackage, unpackFromApt } from "./apt.ts";
import { isDockerAvailable, OLDEST_IMAGES, pullImage } from "./docker.ts";
import { findOnPath } from "./on-path.ts";

/** A program that is not on npm. */
interface Program {
  name: string;
  /** Its packages in apt. The first is also its name in Homebrew. */
  packages: readonly [string, ...string[]];
  /** The option with which it prints its version. */
  versionOption: string;
}

const REDIS: Program = {
  name: "redis-server",
  // In Debian redis-server is a link to a program of redis-tools.
  packages: ["redis", "redis-tools"],
  versionOption: "--version",
};
const NGINX: Program = { name: "nginx", packages: ["nginx"], versionOption: "-v" };

/**
 * The paths of Redis and nginx. Each is found on PATH, else unpacked from the system's packages, else
 * installed with Homebrew, else run in a container. No daemon is started.
 * @throws UserFacingError with the command that installs the missing programs
 */
export async function findServerPrograms(): Promise<{ redisServer: string; nginx: string }> {
  return {
    redisServer: await findProgram(REDIS, "REDIS_IMAGE"),
    nginx: await findProgram(NGINX, "NGINX_IMAGE"),
  };
}

/** @param image the variable of docker-compose.yml that has its image */
async function findProgram(program: Program, image: string): Promise<string> {
  const {
    name,
    packages: [packageName],
  } = program;
  const found = findOnPath(name) ?? (await findUnpacked(program));
  if (found) return found;
  if (findOnPath("brew") !== null) {
    console.log(`Installing ${name} with Homebrew …`);
    await execa("brew", ["install", "--quiet", packageName], { stdin: "ignore", reject: false });
    const installed = findOnPath(name);
    if (installed) return installed;
  }
  if (await isDockerAvailable())
    return writeScript(join(TOOLS_DIR, "bin", name), await pullImage(name, imageOf(image)));
  const install = process.platform === "darwin" ? "brew install" : "sudo apt-get install";
  throw new UserFacingError(`Missing: ${name}. Install it with \`${install} ${packageName}\`, or start Docker.`);
}

/**
 * The program of an earlier run if it works, else one from the system's packages, which need not be installed; null
 * without apt.
 */
export async function findUnpacked(
  { name, packages, versionOption }: Program,
  toolsDir = TOOLS_DIR,
): Promise<string | null> {
  const path = join(toolsDir, "bin", name);
  const works = async () => !(await execa(path, [versionOption], { reject: false })).failed;
  if (await works()) return path;
  if (!(await aptHasPackage(packages[0]))) return null;
  console.log(`Downloading ${name} from the system's packages …`);
  await rm(join(toolsDir, name), { recursive: true, force: true });
  await writeScript(path, await unpackFromApt(name, packages, toolsDir));
  return (await works()) ? path : null;
}

/** Whether Docker has or gets the images of TEST_IMAGES. */
export async function hasTestImages(): Promise<boolean> {
  if (!(await isDockerAvailable())) return false;
  try {
    for (const image of [...Object.values(OLDEST_IMAGES), imageOf("NGINX_IMAGE")]) {
      await pullImage("", image);
    }
    return true;
  } catch (error) {
    if (!(error instanceof UserFacingError)) throw error;
    console.log(`${error.message} Tests with images do not run.`);
    return false;
  }
}

/** A script that runs the nginx that is shipped, in a container. */
export async function nginxOfImage(): Promise<string> {
  const script = await pullImage(NGINX.name, imageOf("NGINX_IMAGE"));
  return writeScript(join(TOOLS_DIR, "images", "bin", NGINX.name), script);
}

/** The image of a variable of docker-compose.yml, which the environment replaces. */
function imageOf(variable: string): string {
  const own = process.env[variable];
  if (own) return own;
  const text = readFileSync(join(CHECKOUT, "docker-compose.yml"), "utf8");
  const [, image] = new RegExp(`\\{${variable}:-([^}]+)}`).exec(text) ?? [];
  if (image === undefined) throw new Error(`docker-compose.yml has no ${variable}.`);
  return image;
}

/** Writes the script that runs a program. */
async function writeScript(path: string, body: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.${process.pid}`, `#!/bin/sh\n${body}`, { mode: 0o755 });
  await rename(`${path}.${process.pid}`, path);
  return path;
}
