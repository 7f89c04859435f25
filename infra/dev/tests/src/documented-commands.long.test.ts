import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { CLICK_STREAMS, QUARANTINED_CLICKS } from "@tapthru/proto/clicks/batch";
import { generate } from "@tapthru/proto/generate";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { execa } from "execa";
import { Redis } from "ioredis";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";
import { readText, services } from "./compose-file.ts";
import { createFakeServer } from "./testing/fake-server.ts";

const DOCUMENTS = [
  "README",
  ...["self-hosting", "upgrade-and-backup", "runbook", "scaling", "kubernetes", "operators", "MCP"],
].map((name) => (name === "README" ? "README.md" : `docs/${name}.md`));

/** By how they begin: commands that no test here runs, and why. */
const NOT_RUN = {
  "npx -y pnpm@10 start": "start.long.test.ts runs it, and these tests are the other command",
  "go.example.com {": "a configuration of Caddy, which is not installed",
  "age-keygen": "backup.long.test.ts runs it",
  "DATABASE_URL=…": "backup.long.test.ts runs backup.sh on a real server",
  "DROP DATABASE tapthru_before_restore": "backup.long.test.ts: backup.sh drops it",
  "infra/compose/restore.sh\n": "is named; ./install.sh restore runs it",
  "# Dockerfile": "files of pgBackRest, which is not installed",
  "$pgb stanza-create": "needs pgBackRest",
  "docker compose stop &&": "needs pgBackRest",
  "firebase ": "is a program of Google that needs an account",
  "ssh ": "needs another machine",
  "sysctl ": "changes this machine",
  "timedatectl ": "changes this machine",
  "df ": "prints the disks of this machine",
  "claude ": "is a program of Anthropic; mcp.test.ts calls the same address",
  "npx mcp-remote": "is downloaded",
};

/** Languages of blocks that are no commands. */
const DATA = ["env", "json", "toml", "dockerfile", "yaml"];

const SQL = /^(SELECT|UPDATE|DELETE|DROP|TRUNCATE|VACUUM|CREATE|ALTER) /;
const REDIS = /^(SLOWLOG|INFO|XADD|XRANGE|DEL|FLUSHALL)\b/;
const SHELL =
  /^(?:[A-Z_]+=\S* )*(?:(?:docker|kubectl|helm|curl|redis-cli|psql|ssh|sysctl|timedatectl|df|claude|firebase|npx|bash) |\.\/install\.sh |infra\/compose\/[\w-]+\.sh)/;

/** The blocks of commands, and commands within sentences. */
function commandsIn(document: string): string[] {
  const blocks: string[] = [];
  const text = readText(document).replace(/^ *```(\w*)\n(.*?)^ *```$/gms, (_, language: string, block: string) => {
    if (!DATA.includes(language)) blocks.push(block.replaceAll(/^ +/gm, ""));
    return "";
  });
  const named = Array.from(text.matchAll(/`([^`]+)`/g), ([, code = ""]) => `${code.replaceAll(/\s+/g, " ")}\n`);
  return [...blocks, ...named.filter((code) => [SQL, REDIS, SHELL].some((pattern) => pattern.test(code)))];
}

const commands = [...new Set(DOCUMENTS.flatMap(commandsIn))];
const reasonOf = (command: string) => Object.keys(NOT_RUN).find((start) => command.startsWith(start));
const run = commands.filter((command) => reasonOf(command) === undefined);

const database = await createThrowawayDatabase();
afterAll(() => database.drop());
await database.rows(`INSERT INTO identity."user" (id, name, email, "emailVerified", address)
  VALUES ('a', 'a', 'person@example.com', true, 'person@example.com')`);
await database.rows(`WITH link AS (INSERT INTO links (short_code, original_url, web_url, deep_link)
  VALUES ('documented', 'https://www.amazon.com/dp/B000000000', 'https://www.amazon.com/dp/B000000000', 'com.amazon.mobile.shopping.web://amazon.com/dp/B000000000?product_id=1') RETURNING id)
  INSERT INTO clicks (link_id, day, counts) SELECT id, current_date, '{}' FROM link`);

it("each command that is not run is in a document", () => {
  expect(Object.keys(NOT_RUN).filter((start) => !commands.some((command) => command.startsWith(start)))).toEqual([]);
});

it.each(run.filter((command) => SQL.test(command)))("Postgres executes %s", async (text) => {
  const name = `documented_${randomBytes(4).toString("hex")}`;
  const statements = text
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\btapthru\b/g, name)
    .replace("(PID)", "(0)")
    .replace("SELECT pg_drop_replication_slot(…)", "EXPLAIN SELECT pg_drop_replication_slot('x')");
  onTestFinished(async () => {
    if (!statements.includes(name)) return;
    await database.rows(`DROP DATABASE ${name}`);
    await database.rows(`DROP ROLE ${name}`);
  });
  for (const statement of statements.split(";").filter((part) => part.trim() !== "")) await database.rows(statement);
});

it("Redis executes each command, on keys that exist", async () => {
  const server = await startRedis();
  const redis = new Redis(server.url);
  onTestFinished(async () => {
    redis.disconnect();
    await server.remove();
  });
  const keys = [QUARANTINED_CLICKS, ...CLICK_STREAMS.map(({ batches }) => batches)];
  for (const command of run.filter((text) => REDIS.test(text))) {
    const [name = "", ...args] = command.trim().split(" ");
    await redis.call(name, ...args);
    if (args[0]?.startsWith("{")) expect(keys).toContain(args[0]);
  }
});

const HELM = findOnPath("helm");
const objects = HELM === null ? null : await objectsOfChart(HELM);

it.each(run.filter((command) => SHELL.test(command) || !(SQL.test(command) || REDIS.test(command))))(
  "bash runs %s",
  async (text) => {
    const fakes = await createFakeServer();
    onTestFinished(() => fakes.remove());
    const { folder, server } = fakes;
    const command = text
      .replaceAll("<service>", "api")
      .replaceAll("<email>", "person@example.com")
      .replaceAll(/<(host|code)>/g, "go.example.com")
      .replace(/ users$/m, " users operator-link");
    const env = {
      ...fakes.env,
      TAPTHRU_RELEASES: `file://${folder}/releases`,
      ...{ CHECKOUT, FOLDER: folder, TAPTHRU_VERSION: "local", NEW_MAJOR: "19" },
      ...{ DATABASE_URL: database.url, REDIS_QUEUE_URL: "redis://x", REDIS_CACHE_URL: "redis://x" },
    };
    for (const name of ["docker", "kubectl", "helm"]) await fakes.fake(name, (await hasOptions(name)) + USERS);
    await fakes.fake("curl", CURL);
    for (const name of ["psql", "redis-cli"]) await fakes.fake(name);
    const isNew = command.startsWith("curl -fsSLO");
    for (const [version] of command.startsWith("curl -fs") ? [["v1.0.0"], ["v1.1.0"]] : command.matchAll(/v1\.\d\.0/g))
      await fakes.release(version);
    const published = readText("install.sh").replace("VERSION=\n", "VERSION=v1.0.0\n").replace(" 80 443", " 1 2");
    await mkdir(join(folder, "releases"), { recursive: true });
    await writeFile(join(folder, "releases/install.sh"), published);
    await mkdir(join(server, "backups"));
    for (const name of ["newest.dump", "tapthru-….dump", "tapthru-….dump.age"])
      await writeFile(join(server, "backups", name), "");
    await writeFile(join(server, "key.txt"), "");
    const isRelease = /upgrade v/.test(command);
    if (isRelease) await rm(join(server, "Dockerfile"));
    const registry = isRelease ? "ghcr.io/example/tapthru" : "";
    await writeFile(join(server, ".env"), `IMAGE_REGISTRY=${registry}\nTAPTHRU_VERSION=v1.0.0\n`);
    const site = "go.example\nme@go.example\n\n\n";
    const answers = isNew ? `${command.includes("--dry-run") ? site : ""}${site}y\ny\n` : "y\n".repeat(3);
    const { exitCode, all } = await execa("bash", ["-euo", "pipefail", "-c", command], {
      cwd: isNew ? folder : server,
      env,
      input: answers,
      reject: false,
      all: true,
    });
    expect([exitCode, all]).toEqual([0, expect.any(String)]);
    const calls = (await fakes.calls().catch(() => "")).split("\n");
    for (const call of calls) {
      // What apply reads has the namespace.
      if (/^(kubectl(?! apply -f -)|helm (upgrade|rollback)) /.test(call))
        expect(call).toMatch(/ (-n|--namespace|namespace) tapthru\b/);
      expect(Object.keys(services)).toEqual(expect.arrayContaining(servicesIn(call)));
      if (objects !== null) expect(objects).toEqual(expect.arrayContaining(objectsIn(call)));
      const path = /^curl.* (?:https:\/\/go\.example(?:\.com)?|http:\/\/127\.0\.0\.1:8080|localhost:8082)(\S+)/.exec(
        call,
      )?.[1];
      if (path !== undefined) expect(path).toMatch(new RegExp(`^(/config.json|/version.txt|/l/.+|${generate.path})$`));
    }
  },
);

/** Real programs check their options, and do nothing with --help. */
async function hasOptions(name: string): Promise<string> {
  const program = findOnPath(name);
  const version = name === "docker" ? ["compose", "version"] : ["version", "--client"];
  if (program === null || (await execa(program, version, { reject: false })).failed) return "";
  if (name === "docker")
    return `args=() help=
for arg; do args+=("$arg"); [[ -n $help || ! $arg =~ ^(build|config|down|exec|image|info|inspect|logs|ps|pull|restart|rm|run|stats|stop|system|tag|up)$ ]] || { args+=(--help) && help=yes; }; done
[ -z "$help" ] || "${program}" "\${args[@]}" >/dev/null || exit 3\n`;
  return `args=(); for arg; do [ "$arg" != -- ] || break; args+=("$arg"); done
"${program}" "\${args[@]}" --help >/dev/null || exit 3\n`;
}

/** Runs the arguments of \`users\` in this checkout; a secret of Kubernetes is the database of this test. */
const USERS = `[[ $* != *" get secret "* ]] || printf %s "$DATABASE_URL" | base64 -w0
while [ $# -gt 0 ] && [ "$1" != users ]; do shift; done
[ $# -eq 0 ] || { cd "$CHECKOUT/infra/postgres" && TAPTHRU_ENV=local exec ${process.execPath} src/main.ts "$@"; }
`;

const CURL = `case $* in
  *releases/latest/download/install.sh) cp "$FOLDER/releases/install.sh" . ;;
  *file://*) exec ${findOnPath("curl")} "$@" ;;
esac
`;

/** The services that a call of Docker Compose names. */
function servicesIn(call: string): string[] {
  const [, command = "", rest = ""] =
    /^docker compose (?:--\S+ \S+ )*(up|logs|restart|stop|exec|run)\b(.*)/.exec(call) ?? [];
  const words = rest.replaceAll(/ --(?:since|tail|scale|wait-timeout|volume|env|entrypoint) \S+/g, "").split(" ");
  const names = words.filter((word) => word !== "" && !word.startsWith("-"));
  return command === "exec" || command === "run" ? names.slice(0, 1) : names;
}

/** The objects that a call of kubectl names, as "kind/name". Those that the documents create are left out. */
function objectsIn(call: string): string[] {
  if (!call.startsWith("kubectl ")) return [];
  const [, kind, names = ""] = / (deployment|hpa|secret) ((?:[a-z][\w-]*(?: |$))+)/.exec(call) ?? [];
  const slashed = call.match(/\b(?:deployment|cronjob|service|job)\/[\w-]+/g) ?? [];
  const named = names.trim().split(" ").filter(Boolean);
  return [...slashed, ...named.map((name) => `${kind}/${name}`)].filter((name) => name !== "job/commands");
}

async function objectsOfChart(helm: string): Promise<string[]> {
  const chart = join(CHECKOUT, "k8s");
  const values = ['--set-json=backup.schedule="@daily"', `--values=${chart}/examples/production.yaml`];
  const { stdout } = await execa(helm, ["template", "tapthru", chart, ...values]);
  const all = [stdout, readText("k8s/examples/secrets.yaml")].flatMap((text) => parseAllDocuments(text));
  return all.flatMap((document) => {
    const { kind, metadata } = document.toJS() ?? {};
    if (kind === undefined) return [];
    return [`${kind === "HorizontalPodAutoscaler" ? "hpa" : kind.toLowerCase()}/${metadata.name}`];
  });
}
