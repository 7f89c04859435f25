import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { UserFacingError } from "../user-facing-error.ts";
import { dockerRunOptions, environmentOf, packagesOf } from "./container-options.ts";
import type { Machine } from "./machines.ts";

/** npm's settings for all users in Node's images. */
const NPMRC = "/usr/local/etc/npmrc";

export interface Container {
  /**
   * Runs a command in the checkout with the machine's user, locale and time zone.
   * @returns its exit code
   */
  run(command: readonly string[], logFile: string): Promise<number | undefined>;
  /** Runs a script with the image's Node in the checkout. @throws if it fails */
  runScript(script: string): Promise<string>;
  /** Starts a script and does not wait for it. */
  runScriptInBackground(script: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Starts a container of Node's base image with a fresh clone in it.
 * @param clone a folder on this machine, copied into the container
 */
export async function startContainer(machine: Machine, clone: string): Promise<Container> {
  const image = `node:${machine.node}-bookworm-slim`;
  const { stdout: id } = await docker(
    "run",
    "--detach",
    ...dockerRunOptions(machine),
    image,
    "sleep",
    "infinity",
  );
  const remove = async () => {
    await docker("rm", "--force", "--volumes", id);
  };
  const settings = Object.entries(environmentOf(machine)).map(
    ([key, value]) => `--env=${key}=${value}`,
  );
  const inCheckout = [`--user=${machine.user}`, `--workdir=${machine.path}`, ...settings];
  try {
    await prepare(machine, clone, id);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    async run(command, logFile) {
      const log = { file: logFile };
      const { exitCode } = await execa("docker", ["exec", ...inCheckout, id, ...command], {
        stdin: "ignore",
        stdout: log,
        stderr: log,
        buffer: false,
        reject: false,
      });
      return exitCode;
    },
    runScript: async (script) =>
      (await docker("exec", ...inCheckout, id, "node", "-e", script)).stdout,
    async runScriptInBackground(script) {
      await docker("exec", "--detach", ...inCheckout, id, "node", "-e", script);
    },
    remove,
  };
}

async function prepare(machine: Machine, clone: string, id: string): Promise<void> {
  const asRoot = (...command: string[]) => docker("exec", id, ...command);
  await asRoot("mkdir", "-p", machine.path);
  await docker("cp", `${clone}/.`, `${id}:${machine.path}`);
  const npmrc = join(homedir(), ".npmrc");
  if (existsSync(npmrc)) {
    await docker("cp", npmrc, `${id}:${NPMRC}`);
    await asRoot("chmod", "a+r", NPMRC);
  }
  await asRoot("chown", "-R", `${machine.user}:${machine.user}`, machine.path);
  const packages = packagesOf(machine);
  if (packages.length === 0) return;
  await asRoot("apt-get", "update", "-q");
  await asRoot("apt-get", "install", "-y", "-q", "--no-install-recommends", ...packages);
  const [language = ""] = machine.locale.split(".");
  if (packages.includes("locales"))
    await asRoot("localedef", "-i", language, "-f", "UTF-8", machine.locale);
}

/** @throws UserFacingError with Docker's output */
async function docker(...args: string[]): Promise<{ stdout: string }> {
  const { failed, stdout, stderr } = await execa("docker", args, {
    stdin: "ignore",
    reject: false,
  });
  if (failed) throw new UserFacingError(`docker ${args[0]} failed: ${stderr}`);
  return { stdout };
}
