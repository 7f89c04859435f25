import { join } from "node:path";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { runCommand } from "@tapthru/stack/run-command";
import { compare, type Server, withPeers } from "./compare.ts";
import { benchRedirect } from "./redirect.ts";
import { runningStack, signUp } from "./running-stack.ts";

const KOA = join(import.meta.dirname, "bare-koa.ts");
const SCRIPT = join(import.meta.dirname, "creates.lua");

const SUBJECTS = { redirect: benchRedirect, creates: benchCreates };

await runCommand(async () => {
  const [subject = ""] = process.argv.slice(2);
  if (subject !== "redirect" && subject !== "creates")
    throw new UserFacingError("Usage: pnpm bench redirect | creates");
  if (findOnPath("wrk") === null)
    throw new UserFacingError("Missing: wrk. Install it with `sudo apt-get install wrk`.");
  await SUBJECTS[subject]();
  return true;
});

/** Creates links with a session at the api of the running stack, beside a Koa that inserts one row. */
async function benchCreates(): Promise<void> {
  const stack = await runningStack();
  const cookie = await signUp(stack);
  await withPeers(async (startPeer) => {
    const koa = await startPeer(process.execPath, (port) => [KOA, stack.databaseUrl, String(port)]);
    const creates = (server: Server) => {
      const headers = [`Cookie: ${cookie}`, `Origin: ${stack.publicOrigin}`].flatMap((header) => ["-H", header]);
      return { server, wrk: ["-c", "4", ...headers, "-s", SCRIPT, `${server.origin}/api/generate`] };
    };
    await compare("a create, beside a bare Koa", creates(stack.api), creates(koa));
  });
}
