import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { runOf } from "@tapthru/stack/processes/guard";
import { localDatabaseUrl } from "@tapthru/stack/servers/database";
import { cookiesOf, send, signUpAtProvider } from "@tapthru/stack/stack/built-in-identity";
import { readSettings } from "@tapthru/stack/stack/settings";
import type { Server } from "./compare.ts";

export interface RunningStack {
  api: Server;
  redirect: Server;
  publicOrigin: string;
  databaseUrl: string;
}

/** The api and the redirect of the stack that `pnpm start` runs. @throws UserFacingError if it does not run */
export async function runningStack(): Promise<RunningStack> {
  const settings = readSettings(process.env);
  const run = await runOf(settings.dataDir);
  const server = (name: string, port: number): Server => {
    const child = run?.processes.find((child) => child.name === name);
    if (child === undefined)
      throw new UserFacingError("Start a stack first: RATE_LIMITS=off METADATA_PAGE_FETCH=off pnpm start --demo");
    return { origin: `http://127.0.0.1:${port}`, pid: child.pid };
  };
  return {
    api: server("api", settings.ports.API_PORT),
    redirect: server("redirect", settings.ports.REDIRECT_PORT),
    publicOrigin: `http://localhost:${settings.ports.PORT}`,
    databaseUrl: localDatabaseUrl(settings),
  };
}

export async function createLink({ publicOrigin }: RunningStack) {
  const url = `https://www.amazon.com/dp/B000000000?tag=bench-20&run=${Date.now()}`;
  const response = await send(publicOrigin, { method: "POST", path: "/api/generate" }, { body: { url } });
  const { shortCode } = (await response.json()) as { shortCode: string };
  return { shortCode, url };
}

/** @returns the cookies of a new user's session */
export async function signUp({ publicOrigin }: RunningStack): Promise<string> {
  const username = `bench-${Date.now()}`;
  const account = { username, email: `${username}@load.example`, password: `${username}-password` };
  return cookiesOf(await signUpAtProvider(publicOrigin, account));
}
