import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { UserFacingError } from "../user-facing-error.ts";
import { environmentOf, packagesOf, runOptions } from "./container-options.ts";
import type { Machine } from "./machines.ts";

/** The file of every user's settings, for the npm of Node's images. */
const NPMRC = "/usr/local/etc/npmrc";

export interface Container {
  /**
   * Runs a command in the checkout as the row's user, in the row's locale and time zone.
   * @returns its exit code
   */
  run(command: readonly string[], logFile: string): Promise<number | undefined>;
  /** Runs a script by the image's Node in the checkout. @throws where it fails */
  runScript(script: string): Promise<string>;
  /** The same, but does not wait for its end. */
  runScriptInBackground(script: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * A container of nothing but a base image with Node, and in it a fresh clone.
 * @param clone a folder on this machine, which is copied
 */
export async function startContainer(row: Machine, clone: string): Promise<Container> {
  const image = `node:${row.node}-bookworm-slim`;
  const { stdout: id } = await docker(
    "run",
    "--detach",
    ...runOptions(row),
    image,
    "sleep",
    "infinity",
  );
  const remove = async () => {
    await docker("rm", "--force", "--volumes", id);
  };
  const settings = Object.entries(environmentOf(row)).map(
    ([key, value]) => `--env=${key}=${value}`,
  );
  const inCheckout = [`--user=${row.user}`, `--workdir=${row.path}`, ...settings];
  try {
    await prepare(row, clone, id);
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

async function prepare(row: Machine, clone: string, id: string): Promise<void> {
  const asRoot = (...command: string[]) => docker("exec", id, ...command);
  await asRoot("mkdir", "-p", row.path);
  await docker("cp", `${clone}/.`, `${id}:${row.path}`);
  const npmrc = join(homedir(), ".npmrc");
  if (existsSync(npmrc)) {
    await docker("cp", npmrc, `${id}:${NPMRC}`);
    await asRoot("chmod", "a+r", NPMRC);
  }
  await asRoot("chown", "-R", `${row.user}:${row.user}`, row.path);
  const packages = packagesOf(row);
  if (packages.length === 0) return;
  await asRoot("apt-get", "update", "-q");
  await asRoot("apt-get", "install", "-y", "-q", "--no-install-recommends", ...packages);
  const [language = ""] = row.locale.split(".");
  if (packages.includes("locales"))
    await asRoot("localedef", "-i", language, "-f", "UTF-8", row.locale);
}

/** @throws PlainError with what Docker printed */
async function docker(...args: string[]): Promise<{ stdout: string }> {
  const { failed, stdout, stderr } = await execa("docker", args, {
    stdin: "ignore",
    reject: false,
  });
  if (failed) throw new UserFacingError(`docker ${args[0]} failed: ${stderr}`);
  return { stdout };
}
