import { once } from "node:events";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { readConfig } from "@tapthru/core/platform/config/configs";
import { CONTAINERS } from "@tapthru/stack/settings-files";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { environmentOf } from "./compose-file.ts";
import { createFakeServer, DIGEST, type FakeServer } from "./testing/fake-server.ts";

const ANSWERS = ["--host", "go.example", "--email", "hello@go.example"];

let fakes: FakeServer;
let folder: string;
let server: string;
beforeEach(async () => {
  fakes = await createFakeServer();
  ({ folder, server } = fakes);
});
afterEach(() => fakes.remove());

const calls = () => fakes.calls();
const envFile = () => readFile(join(server, ".env"), "utf8");
const releaseOfServer = () => fakes.release("v9");

/** Runs install.sh, or another script, as on a server whose ports are free. */
function install(args: string[], options: { script?: string; input?: string; env?: Record<string, string> } = {}) {
  const env = { ...fakes.env, PUBLISH_PORT: "9", SMTP_URL: "", ...options.env };
  const { input = "" } = options;
  return execa("bash", [join(server, options.script ?? "install.sh"), ...args], {
    cwd: folder,
    env,
    input,
    reject: false,
    all: true,
  });
}

it.each([
  [[...ANSWERS, "--dry-run"], "", 0, "docker compose up --detach"],
  [[], "https://Go.example/\na@b.example\n\n\nn\n", 1, "Nothing was changed."],
])("changes nothing with %j and the answers %j", async (args, input, status, message) => {
  const { all, exitCode } = await install(["--proxy", ...args], { input });
  expect([exitCode, all]).toEqual([status, expect.stringContaining(message)]);
  expect(await calls()).not.toMatch(/docker compose (?!version)/);
  await expect(envFile()).rejects.toThrow("ENOENT");
});

it.each([
  ["serves https itself", [], "", "invitation"],
  ["is behind a proxy", ["proxy"], "smtps://me%40go.example:Vq7x@mail.example:465", "open"],
])("writes settings with which each service starts, where the gateway %s", async (_, proxy, SMTP_URL, mode) => {
  const init = [join(server, "infra/compose/init.sh"), "https://go.example", "hello@go.example"];
  await execa("bash", [...init, ...proxy], { env: { SMTP_URL } });
  const variables = parseEnv(await envFile()) as Record<string, string>;
  for (const service of CONTAINERS) {
    const config = readConfig(service, environmentOf(service, variables));
    expect(config.TAPTHRU_ENV, service).toBe("production");
  }
  expect(readConfig("api", environmentOf("api", variables)).SIGNUP_MODE).toBe(mode);
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
  const env = await releaseOfServer();
  const script = await readFile(join(CHECKOUT, "install.sh"), "utf8");
  await rm(server, { recursive: true });
  await mkdir(server);
  await writeFile(join(server, "install.sh"), script.replace(/^VERSION=$/m, "VERSION=v9"));
  const { exitCode } = await install([...ANSWERS, "--proxy", "--yes"], { env });
  expect(exitCode).toBe(0);
  expect(await calls()).toContain("docker compose pull --policy missing");
  expect(parseEnv(await readFile(join(folder, "tapthru/.env"), "utf8"))).toMatchObject({
    IMAGE_REGISTRY: "ghcr.io/example/tapthru",
    TAPTHRU_VERSION: "v9",
  });
});

it.each([
  [[], {}, "address yet. Create an A record", "no.example"],
  [[], {}, "an IP address can have no certificate", "192.0.2.7"],
  [[], { FAILS: "hostname -I" }, "this server has an unknown address", "go.example"],
  [["--proxy"], { SECURITY: "name=rootless" }, "Docker is rootless", "go.example"],
  [["--proxy"], { HAS_MEGABYTES: "980" }, "This server has 980 MB of memory", "go.example"],
  [["--proxy"], { FAILS: "docker info" }, "Docker does not respond", "go.example"],
  [["--proxy", "--yes"], { FAILS: "docker compose build" }, "There are no images", "go.example"],
  [["--proxy", "--yes"], { SMTP_URL: "mail.example" }, "not the address of a mail server", "go.example"],
  [["--email"], {}, "--email needs a value", "go.example"],
])("says why it stops: %j %j", async (args, env, message, host) => {
  const { all, exitCode } = await install(["--host", host, "--email", "a@b.example", ...args], { env });
  expect([exitCode, all]).toEqual([1, expect.stringContaining(message)]);
});

it("stops where its port is in use", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const PUBLISH_PORT = String((other.address() as AddressInfo).port);
  const { all } = await install([...ANSWERS, "--proxy", "--yes"], { env: { PUBLISH_PORT } });
  expect(all).toContain(`Port ${PUBLISH_PORT} is in use`);
});

it.each([
  ["succeeds", "", { exitCode: 0, version: "v9", file: "name: next\n" }],
  ["fails", "docker compose pull*", { exitCode: 1, version: "v8.3.0", file: "name: tapthru\n" }],
  ["is not of its checksum", "sha256sum*", { exitCode: 1, version: "v8.3.0", file: "name: tapthru\n" }],
  ["is not signed", "cosign*", { exitCode: 1, version: "v8.3.0", file: "name: tapthru\n" }],
])("keeps the files of one release if the upgrade %s", async (_, FAILS, { exitCode, version, file }) => {
  await rm(join(server, "Dockerfile"));
  await writeFile(join(server, "docker-compose.yml"), "name: tapthru\n");
  const env = await releaseOfServer();
  const settings = "IMAGE_REGISTRY=ghcr.io/example/tapthru\nTAPTHRU_VERSION=";
  await writeFile(join(server, ".env"), `${settings}v8.3.0\n`);
  for (const name of ["sha256sum", "cosign"]) await fakes.fake(name);
  const upgrade = await install(["upgrade", "v9", "--yes"], { env: { ...env, FAILS } });
  expect(upgrade, upgrade.all).toMatchObject({ exitCode });
  expect(await envFile()).toBe(`${settings}${version}\n`);
  const removed = stat(join(server, "infra/compose/set-postgres-password.sh"));
  if (exitCode === 0) {
    await expect(removed).rejects.toThrow("ENOENT");
    const [name, pulled] = ["ghcr.io/example/tapthru/gateway", `ghcr.io/example/tapthru/gateway@${DIGEST}`];
    expect(await calls()).toContain(`docker pull --quiet ${pulled}\ndocker tag ${pulled} ${name}:v9\n`);
  } else await removed;
  expect(await readFile(join(server, "docker-compose.yml"), "utf8")).toBe(file);
  await expect(stat(join(server, ".before-upgrade.tar.gz"))).rejects.toThrow("ENOENT");
  // The containers run with the files that were put back.
  if (FAILS.startsWith("docker"))
    expect(await calls()).toMatch(/docker compose --project-directory \S+ up --detach\n$/);
});

it("refuses to skip a major version", async () => {
  await writeFile(join(server, ".env"), "IMAGE_REGISTRY=ghcr.io/example/tapthru\nTAPTHRU_VERSION=v7.9.1\n");
  const { all, exitCode } = await install(["upgrade", "v9.0.0", "--yes"]);
  expect([exitCode, all]).toEqual([1, expect.stringContaining("Upgrade to the newest v8 first")]);
});

it("downloads no images of a version where they are built", async () => {
  await writeFile(join(server, ".env"), "IMAGE_REGISTRY=\n");
  const { all, exitCode } = await install(["upgrade", "v9", "--yes"]);
  expect([exitCode, all]).toEqual([1, expect.stringContaining("These images are built here")]);
  expect(await calls()).not.toContain("pull");
});

it("an upgrade whose terminal is closed goes back to the images and files of before", async () => {
  // Each process of the terminal gets the signal, more than once, and can write no more.
  const hangUp = "kill -HUP $PPID $(ps -o ppid= -p $PPID)";
  const closes = `case $call in
    "docker compose up"*" worker") touch "$FOLDER/closed" && ${hangUp} ;;
    "docker stop"*) [ ! -e "$FOLDER/closed" ] || ${hangUp} ;;
  esac`;
  await fakes.fake("docker", closes);
  await rm(join(server, "Dockerfile"));
  await writeFile(join(server, ".env"), "IMAGE_REGISTRY=ghcr.io/example/tapthru\nTAPTHRU_VERSION=v8\n");
  const before = await readFile(join(server, "docker-compose.yml"), "utf8");
  const env = { ...fakes.env, ...(await releaseOfServer()), FOLDER: folder };
  await execa({
    shell: true,
    env,
    reject: false,
  })`bash ${server}/install.sh upgrade v9 --yes --no-dump >/dev/full 2>&1`;
  const [, after = ""] = (await calls()).split(/docker compose up .* worker\n/);
  expect(after.match(/docker stop/g)).toHaveLength(2);
  expect(await readFile(join(server, "docker-compose.yml"), "utf8")).toBe(before);
  expect(await envFile()).toContain("TAPTHRU_VERSION=v8\n");
});

it("writes a dump before the migration, and says that stores have new images until it applies them", async () => {
  await writeFile(join(server, ".env"), "");
  const { all } = await install(["upgrade", "--yes"], { env: { TAPTHRU_VERSION: "local" } });
  expect(await calls()).toMatch(
    /-T backup before-upgrade\n(.+\n)*docker compose up .*--no-recreate.* postgres .+\n.+ migrate\n/,
  );
  expect(all).toContain("new images of postgres");
  await rm(join(folder, "calls"));
  await install(["upgrade", "--yes", "--no-dump", "--stores"], { env: { TAPTHRU_VERSION: "local" } });
  expect(await calls()).toContain("docker compose up --detach --no-deps --wait postgres redis-cache redis-queue\n");
  expect(await calls()).not.toContain("backup");
});

describe("a new major version of Postgres", () => {
  beforeEach(async () => {
    await writeFile(join(server, ".env"), "");
    await mkdir(join(server, "backups"));
    await writeFile(join(server, "backups/newest.dump"), "");
  });
  const run = (script: string, ...args: string[]) =>
    install(args, { script, env: { TAPTHRU_VERSION: "local", NEW_MAJOR: "19" } });

  it("an upgrade does not start a new major version of Postgres", async () => {
    const { all, exitCode } = await run("infra/compose/upgrade.sh", "--no-build", "--stores");
    expect([exitCode, all]).toEqual([1, expect.stringContaining("infra/compose/upgrade-postgres.sh moves the data")]);
    expect(await calls()).not.toContain("compose up");
  });

  it("restores the old server's dump into the new one while nothing writes", async () => {
    const { all, exitCode } = await run("infra/compose/upgrade-postgres.sh");
    expect([exitCode, all]).toEqual([0, expect.stringContaining("Postgres 19 runs")]);
    expect(await calls()).toMatch(
      /stop worker\n.+ backup before-upgrade\n(.+\n)*.+ --wait postgres (.+\n)*.+ backup restore\n(.+\n)*.+ backup swap\n/,
    );
  });

  it("starts the old server again if the new one cannot be filled", async () => {
    const env = { TAPTHRU_VERSION: "local", NEW_MAJOR: "19", FAILS: "docker*backup restore" };
    const { all, exitCode } = await install([], { script: "infra/compose/upgrade-postgres.sh", env });
    expect([exitCode, all]).toEqual([1, expect.stringContaining("Postgres 18 is started again")]);
    expect(await calls()).toMatch(/docker compose up --detach --wait\n$/);
  });
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
