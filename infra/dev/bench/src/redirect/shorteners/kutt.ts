import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import type { Stack } from "@tapthru/local/stack/stack";
import { withClient } from "@tapthru/postgres/with-client";
import { execa } from "execa";
import { codeOf, urlOf } from "../codes.ts";
import type { Server } from "../compare.ts";

const LISTEN_ON_LOOPBACK = fileURLToPath(new URL("./listen-on-loopback.ts", import.meta.url));
const DATABASE = "kutt";
/** Tapthru's keys are in database 0. */
const REDIS_DATABASE = "1";

interface Options {
  /** A checkout of Kutt with its packages. */
  folder: string;
  port: number;
  /** The superuser's URL of a database on the same server. */
  databaseUrl: string;
  redisPort: number;
  logFile: string;
}

/** Starts Kutt on Postgres and Redis, with one link. Kutt does not count its clicks, because it has no owner. */
export async function startKutt(options: Options, stack: Stack): Promise<Server> {
  const { folder, port, logFile } = options;
  const databaseUrl = new URL(`/${DATABASE}`, options.databaseUrl);
  const env = settings(options, databaseUrl);
  await withClient(options.databaseUrl, (client) => client.query(`CREATE DATABASE ${DATABASE}`));
  const knex = join(folder, "node_modules", "knex", "bin", "cli.js");
  await execa(process.execPath, [knex, "migrate:latest"], { cwd: folder, env, extendEnv: false });
  await withClient(databaseUrl.href, (client) =>
    client.query("INSERT INTO links (address, target) VALUES ($1, $2)", [codeOf(0), urlOf(0)]),
  );
  const linksUrl = `http://127.0.0.1:${port}/`;
  const plan = {
    name: "Kutt",
    command: process.execPath,
    args: ["--import", LISTEN_ON_LOOPBACK, join("server", "server.js"), "--production"],
    cwd: folder,
    env,
    logFile,
  };
  await stack.start(plan, () => respondsOverHttp(`${linksUrl}${codeOf(0)}`, 302));
  return { linksUrl, processGroups: [stack.pid(plan.name)] };
}

function settings({ port, redisPort }: Options, database: URL): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    PORT: String(port),
    DEFAULT_DOMAIN: `127.0.0.1:${port}`,
    JWT_SECRET: "for-this-benchmark",
    DB_CLIENT: "pg",
    DB_HOST: database.hostname,
    DB_PORT: database.port,
    DB_NAME: DATABASE,
    DB_USER: database.username,
    DB_PASSWORD: database.password,
    REDIS_ENABLED: "true",
    REDIS_PORT: String(redisPort),
    REDIS_DB: REDIS_DATABASE,
  };
}
