import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { execa } from "execa";
import { TOOLS_DIR } from "../stack/settings.ts";
import { unpackFromApt } from "./apt.ts";
import { findOnPath } from "./on-path.ts";

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
 * installed with Homebrew. No daemon is started.
 * @throws UserFacingError with the command that installs the missing programs
 */
export async function findServerPrograms(): Promise<{ redisServer: string; nginx: string }> {
  return {
    redisServer: await findProgram(REDIS),
    nginx: await findProgram(NGINX),
  };
}

async function findProgram(program: Program): Promise<string> {
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
  const install = process.platform === "darwin" ? "brew install" : "sudo apt-get install";
  throw new UserFacingError(`Missing: ${name}. Install it with \`${install} ${packageName}\`.`);
}

/**
 * The program of an earlier run if it works, else one from the system's packages, which need not be installed; null
 * without apt.
 */
export async function findUnpacked({ name, packages, versionOption }: Program): Promise<string | null> {
  const path = join(TOOLS_DIR, "bin", name);
  const works = async () => !(await execa(path, [versionOption], { reject: false })).failed;
  if (await works()) return path;
  if (findOnPath("apt-get") === null) return null;
  console.log(`Downloading ${name} from the system's packages …`);
  await rm(join(TOOLS_DIR, name), { recursive: true, force: true });
  const script = await unpackFromApt(name, packages);
  if (script === null) return null;
  await writeScript(path, script);
  return (await works()) ? path : null;
}

/** Writes the script that runs a program. */
export async function writeScript(path: string, body: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.${process.pid}`, `#!/bin/sh\n${body}`, { mode: 0o755 });
  await rename(`${path}.${process.pid}`, path);
  return path;
}
