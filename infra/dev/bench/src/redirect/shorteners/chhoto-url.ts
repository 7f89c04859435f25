import { join } from "node:path";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import type { Stack } from "@tapthru/local/stack/stack";
import { codeOf, urlOf } from "../codes.ts";
import type { Server } from "../compare.ts";

interface Options {
  program: string;
  port: number;
  /** For its database. */
  folder: string;
  logFile: string;
}

/** Starts chhoto-url with one link. It counts clicks. */
export async function startChhotoUrl(options: Options, stack: Stack): Promise<Server> {
  const { program, port, folder, logFile } = options;
  const linksUrl = `http://127.0.0.1:${port}/`;
  const plan = {
    name: "chhoto-url",
    command: program,
    args: [],
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      CHHOTO_LISTEN_ADDRESS: "127.0.0.1",
      CHHOTO_LISTEN_PORT: String(port),
      CHHOTO_DB_URL: join(folder, "chhoto-url.sqlite"),
      CHHOTO_SQLITE_USE_WAL_MODE: "True",
      CHHOTO_DISABLE_FRONTEND: "True",
      CHHOTO_REDIRECT_METHOD: "TEMPORARY",
      CHHOTO_PUBLIC_MODE: "Enable",
    },
    logFile,
  };
  await stack.start(plan, () => respondsOverHttp(`${linksUrl}api/version`, 200));
  const body = JSON.stringify({ shortlink: codeOf(0), longlink: urlOf(0) });
  const { status } = await fetch(`${linksUrl}api/new`, { method: "POST", body });
  if (status !== 201) throw new Error(`chhoto-url did not create a link: ${status}`);
  return { linksUrl, processGroups: [stack.pid(plan.name)] };
}
