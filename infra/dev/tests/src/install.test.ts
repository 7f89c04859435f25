import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { readConfig } from "@tapthru/core/platform/config/configs";
import { CONTAINERS } from "@tapthru/stack/settings-files";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentOf } from "./compose-file.ts";

/** Records its calls, and responds like the programs of a server that https://go.example points to. */
const PROGRAM = `#!/bin/bash
echo "$(basename "$0") $*" >>"$CALLS"
case "$(basename "$0") $*" in
  "docker compose version --short") echo 2.40.3 ;;
  "docker logs"*) printf 'Sign up here:\\nhttps://go.example/signup?invitation=secret\\n' ;;
  "getent ahosts go.example" | "hostname -I") echo 192.0.2.7 ;;
esac
`;
const ANSWERS = ["--host", "go.example", "--email", "hello@go.example"];

let folder: string;
let server: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tapthru-install-"));
  server = join(folder, "server");
  await mkdir(join(folder, "bin"), { recursive: true });
  for (const name of ["docker", "getent", "hostname"]) {
    await writeFile(join(folder, "bin", name), PROGRAM);
    await chmod(join(folder, "bin", name), 0o755);
  }
  await mkdir(join(server, "infra", "compose"), { recursive: true });
  const files = ["install.sh", "docker-compose.yml", "Dockerfile", "infra/compose/init.sh"];
  for (const file of files) await copyFile(join(CHECKOUT, file), join(server, file));
});
afterEach(() => rm(folder, { recursive: true }));

const calls = () => readFile(join(folder, "calls"), "utf8");
const envFile = () => readFile(join(server, ".env"), "utf8");

/** Runs install.sh as on a server whose ports 80 and 443 are free. */
function install(args: string[], options: { input?: string; env?: Record<string, string> } = {}) {
  const PATH = `${join(folder, "bin")}:${process.env.PATH}`;
  const env = { PATH, CALLS: join(folder, "calls"), ...options.env };
  const { input = "" } = options;
  return execa("bash", [join(server, "install.sh"), ...args], {
    ...{ cwd: folder, env, input, reject: false, all: true },
  });
}

describe("install.sh", () => {
  it("with --dry-run prints what it would do, and changes nothing", async () => {
    const { all, exitCode } = await install([...ANSWERS, "--proxy", "--dry-run"]);

    expect([exitCode, all]).toEqual([0, expect.stringContaining("docker compose up --detach")]);
    expect(await calls()).toBe("docker info\ndocker compose version --short\n");
    await expect(envFile()).rejects.toThrow("ENOENT");
  });

  it("does nothing without a confirmation", async () => {
    const { all, exitCode } = await install(["--proxy"], { input: "go.example\na@b.example\nn\n" });

    expect([exitCode, all]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
    expect(await calls()).not.toContain("compose up");
    await expect(envFile()).rejects.toThrow("ENOENT");
  });

  it.each([
    ["serves https itself", []],
    ["is behind a proxy", ["proxy"]],
  ])("writes settings with which each service starts, where the gateway %s", async (_, proxy) => {
    const init = [join(server, "infra/compose/init.sh"), "https://go.example", "hello@go.example"];
    await execa("bash", [...init, ...proxy]);

    const variables = parseEnv(await envFile()) as Record<string, string>;
    for (const service of CONTAINERS) {
      const config = readConfig(service, environmentOf(service, variables));
      expect(config.TAPTHRU_ENV, service).toBe("production");
    }
    expect((await stat(join(server, ".env"))).mode & 0o777).toBe(0o600);
    for (const folder of ["config", ...CONTAINERS.map((service) => `secrets/${service}`)])
      expect((await stat(join(server, folder))).mode & 0o777, folder).toBe(0o755);
  });

  it("prints the link of the operator, and keeps the secrets when it runs again", async () => {
    const first = await install([...ANSWERS, "--proxy", "--yes"]);
    expect(first.all).toContain("https://go.example/signup?invitation=secret");
    const written = await envFile();

    const second = await install(["--yes"]);
    expect(second).toMatchObject({ exitCode: 0 });
    expect(await envFile()).toBe(written);
    expect((await install(["--host", "other.example"])).all).toContain("is for https://go.example");
  });

  it("gets the files and images of its release where it is alone", async () => {
    const release = join(folder, "releases/v9");
    await mkdir(release, { recursive: true });
    await execa("tar", ["-czf", join(release, "tapthru.tar.gz"), "-C", server, "."]);
    const script = await readFile(join(CHECKOUT, "install.sh"), "utf8");
    await rm(server, { recursive: true });
    await mkdir(server);
    await writeFile(join(server, "install.sh"), script.replace(/^VERSION=$/m, "VERSION=v9"));

    const env = { TAPTHRU_RELEASES: `file://${join(folder, "releases")}` };
    const { exitCode } = await install([...ANSWERS, "--proxy", "--yes"], { env });

    expect(exitCode).toBe(0);
    expect(await calls()).toContain("docker compose pull");
    expect(parseEnv(await readFile(join(folder, "tapthru/.env"), "utf8"))).toMatchObject({
      IMAGE_REGISTRY: "ghcr.io/example/tapthru",
      TAPTHRU_VERSION: "v9",
    });
  });

  it("stops where the host name has no address", async () => {
    const { all, exitCode } = await install(["--host", "no.example", "--email", "a@b.example"]);

    expect([exitCode, all]).toEqual([1, expect.stringContaining("no.example has no address yet")]);
  });

  it.each([
    [[], "docker compose --profile * down --remove-orphans\n"],
    [["--data"], "docker compose --profile * down --remove-orphans --volumes\n"],
  ])("uninstall %j removes the containers, and only with --data the volumes", async (args, call) => {
    await writeFile(join(server, ".env"), "");
    expect((await install(["uninstall", ...args], { input: "n\n" })).exitCode).toBe(1);
    expect(await calls()).not.toContain("down");

    expect((await install(["uninstall", ...args], { input: "y\n" })).exitCode).toBe(0);
    expect(await calls()).toContain(call);
  });
});
