import { join } from "node:path";
import { compare, type Server, withPeers } from "./compare.ts";
import { runningStack } from "./running-stack.ts";

const KOA = join(import.meta.dirname, "bare-koa.ts");
const SCRIPT = join(import.meta.dirname, "creates.lua");

/** Creates links without an account at the api of the running stack, beside a Koa that inserts one row. */
export async function benchCreates(): Promise<void> {
  const stack = await runningStack();
  await withPeers(async (startPeer) => {
    const koa = await startPeer(process.execPath, (port) => [KOA, stack.databaseUrl, String(port)]);
    const creates = (server: Server) => ({
      server,
      wrk: ["-c", "16", "-s", SCRIPT, `${server.origin}/api/generate`],
    });
    await compare("a create, beside a bare Koa", creates(stack.api), creates(koa));
  });
}
