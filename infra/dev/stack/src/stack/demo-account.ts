import type { SeedAccount } from "@tapthru/postgres/seed";
import * as z from "zod/mini";
import { callEmulator } from "../emulator/call-emulator.ts";
import { respondsOverHttp } from "./http-health.ts";
import type { Settings } from "./settings.ts";

const USER = { email: "demo@tapthru.example", username: "demo-user" };
export const DEMO_PASSWORD = "tapthru-demo";

const Account = z.object({ localId: z.string() });
const FoundAccounts = z.object({ users: z.optional(z.array(Account)) });

/** Creates the README's account if it is missing; null without an emulator. */
export async function ensureDemoAccount(settings: Settings): Promise<SeedAccount | null> {
  const { emulatorHost, projectId } = settings.identity;
  if (emulatorHost === null || !(await respondsOverHttp(`http://${emulatorHost}/`))) return null;
  const { email, username } = USER;
  const path = `/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts`;
  const post = (to: string, body: object) =>
    callEmulator(settings.ports.EMULATOR_PORT, "POST", to, body);
  const { users } = FoundAccounts.parse(await post(`${path}:lookup`, { email: [email] }));
  const account = { email, password: DEMO_PASSWORD, displayName: username };
  const { localId } = users?.[0] ?? Account.parse(await post(path, account));
  return { firebaseUid: localId, email, username };
}
