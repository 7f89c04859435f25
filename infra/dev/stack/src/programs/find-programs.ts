import { readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UserFacingError } from "@tapthru/runtime/user-facing-error";
import { execa } from "execa";
import { CHECKOUT, TOOLS_DIR } from "../stack/settings.ts";
import { aptHasPackage, unpackFromApt } from "./apt.ts";
import { isDockerAvailable, pullImage } from "./docker.ts";
import { executable, findOnPath } from "./on-path.ts";

/** A program that is not on npm. */
interface Program {
  name: string;
  /** Its name in apt and Homebrew. */
  packageName: string;
  dockerImage: string;
}

const REDIS = { name: "redis-server", packageName: "redis", dockerImage: imageOf("REDIS_IMAGE") };
const NGINX = { name: "nginx", packageName: "nginx", dockerImage: imageOf("NGINX_IMAGE") };

/**
 * The paths of Redis and nginx. Each is found on PATH, else unpacked from the system's packages, else
 * installed with Homebrew, else run in a container. No daemon is started.
 * @throws UserFacingError with the command that installs the missing programs
 */
export async function findServerPrograms(): Promise<{ redisServer: string; nginx: string }> {
  return { redisServer: await findProgram(REDIS), nginx: await findProgram(NGINX) };
}

async function findProgram({ name, packageName, dockerImage }: Program): Promise<string> {
  const found = findOnPath(name) ?? (await findUnpacked(name, packageName));
  if (found) return found;
  if (findOnPath("brew") !== null) {
    console.log(`Installing ${name} with Homebrew …`);
    await execa("brew", ["install", "--quiet", packageName], { stdin: "ignore", reject: false });
    const installed = findOnPath(name);
    if (installed) return installed;
  }
  if (await isDockerAvailable()) return writeScript(name, await pullImage(name, dockerImage));
  const install = process.platform === "darwin" ? "brew install" : "sudo apt-get install";
  throw new UserFacingError(
    `Missing: ${name}. Install it with \`${install} ${packageName}\`, or start Docker.`,
  );
}

/** The program of an earlier run, or one from the system's packages, which need not be installed; null without apt. */
export async function findUnpacked(name: string, packageName: string): Promise<string | null> {
  const present = executable(join(TOOLS_DIR, "bin", name));
  if (present || !(await aptHasPackage(packageName))) return present;
  console.log(`Downloading ${name} from the system's packages …`);
  return writeScript(name, await unpackFromApt(name, packageName, TOOLS_DIR));
}

/** The image of a variable of docker-compose.yml. */
function imageOf(variable: string): string {
  const text = readFileSync(join(CHECKOUT, "docker-compose.yml"), "utf8");
  const [, image] = new RegExp(`\\{${variable}:-([^}]+)}`).exec(text) ?? [];
  if (image === undefined) throw new Error(`docker-compose.yml has no ${variable}.`);
  return image;
}

/** Writes the script that runs a program. */
async function writeScript(name: string, body: string): Promise<string> {
  const path = join(TOOLS_DIR, "bin", name);
  await mkdir(join(TOOLS_DIR, "bin"), { recursive: true });
  await writeFile(`${path}.${process.pid}`, `#!/bin/sh\n${body}`, { mode: 0o755 });
  await rename(`${path}.${process.pid}`, path);
  return path;
}
