import * as z from "zod/mini";

/** The ports of the emulator on the loopback interface, and its project. */
export interface EmulatorAddress {
  projectId: string;
  port: number;
  hubPort: number;
}

type Emulator = Omit<EmulatorAddress, "hubPort">;

/** The default of new projects: a wrong password and an unknown email get the same error. */
export async function enableEmailEnumerationProtection({
  port,
  projectId,
}: Emulator): Promise<void> {
  await call(port, "PATCH", `/emulator/v1/projects/${projectId}/config`, {
    emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
  });
}

/** All accounts as a string, which changes when an account changes. */
export async function readAccounts({ port, projectId }: Emulator): Promise<string> {
  const path = `/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts:batchGet`;
  return JSON.stringify(await call(port, "GET", `${path}?maxResults=-1`));
}

/** @param path absolute, of a folder that does not exist yet */
export async function exportAccounts({ hubPort }: EmulatorAddress, path: string): Promise<void> {
  await call(hubPort, "POST", "/_admin/export", { path, initiatedBy: "tapthru" });
}

const OobCodes = z.object({
  oobCodes: z.array(z.object({ requestType: z.string(), email: z.string(), oobLink: z.string() })),
});

export interface PasswordReset {
  email: string;
  /** The link in the email, on the emulator's own address. */
  link: string;
}

/** The unused links that the emulator would have sent by mail. */
export async function readPasswordResets({ port, projectId }: Emulator): Promise<PasswordReset[]> {
  const path = `/emulator/v1/projects/${projectId}/oobCodes`;
  const { oobCodes } = OobCodes.parse(await call(port, "GET", path));
  return oobCodes
    .filter(({ requestType }) => requestType === "PASSWORD_RESET")
    .map(({ email, oobLink }) => ({ email, link: oobLink }));
}

const AccountLookup = z.object({ users: z.optional(z.array(z.object({ localId: z.string() }))) });
const CreatedAccount = z.object({ localId: z.string() });

interface Account {
  email: string;
  password: string;
  displayName: string;
}

/**
 * Creates the account, unless the email has one.
 * @returns its uid
 */
export async function ensureAccount(
  { port, projectId }: Emulator,
  account: Account,
): Promise<string> {
  const path = `/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts`;
  const { users } = AccountLookup.parse(
    await call(port, "POST", `${path}:lookup`, { email: [account.email] }),
  );
  const found = users?.[0] ?? CreatedAccount.parse(await call(port, "POST", path, account));
  return found.localId;
}

/**
 * Sends an administrative request.
 * @throws TypeError when the emulator is unavailable
 */
async function call(port: number, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`The emulator responded to ${path} with ${response.status} ${text}`);
  return JSON.parse(text);
}
