import type { SeedAccount } from "@tapthru/postgres/seed";
import { ensureAccount } from "../emulator/emulator-calls.ts";
import { localEmulator } from "../emulator/local-emulator.ts";
import { respondsOverHttp } from "./http-health.ts";
import type { Settings } from "./settings.ts";

const USER = { email: "demo@tapthru.example", username: "demo-user" };
export const DEMO_PASSWORD = "tapthru-demo";

/** Creates the README's account if it is missing; null without an emulator. */
export async function ensureDemoAccount(settings: Settings): Promise<SeedAccount | null> {
  const { emulatorHost } = settings.identity;
  if (emulatorHost === null || !(await respondsOverHttp(`http://${emulatorHost}/`))) return null;
  const { email, username } = USER;
  const firebaseUid = await ensureAccount(localEmulator(settings), {
    email,
    password: DEMO_PASSWORD,
    displayName: username,
  });
  return { firebaseUid, email, username };
}
