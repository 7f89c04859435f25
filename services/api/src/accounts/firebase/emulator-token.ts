import { parseJson } from "@tapthru/runtime/unreadable";
import * as z from "zod/mini";

/** The format of firebase-tools 15 (`generateJwt`): unsigned, valid for one hour. */
const Header = z.strictObject({ alg: z.literal("none"), typ: z.literal("JWT") });
const LIFETIME_S = 3_600;

const Payload = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string().check(z.minLength(1), z.maxLength(128)),
  user_id: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  /** This and the next two are Unix seconds. */
  auth_time: z.int(),
  iat: z.int(),
  exp: z.int(),
  firebase: z.object({
    identities: z.object({ email: z.array(z.string()) }),
    sign_in_provider: z.literal("password"),
  }),
});
type Payload = z.infer<typeof Payload>;

/** The account of a token, as the emulator stores it. */
export interface EmulatorAccount {
  email: string | null;
  hasPassword: boolean;
  /** When the account was created, in Unix seconds, rounded down. */
  createdAt: number;
  lastSignInAt: number;
}

/**
 * Parses an unsigned token in the format that the emulator issues for a login with a password. Anyone can write
 * such a token, so the payload proves nothing.
 * @returns null for any other token
 */
export function parseEmulatorToken(token: string, projectId: string): Payload | null {
  const [header = "", payload = "", signature, ...rest] = token.split(".");
  if (signature !== "" || rest.length > 0) return null;
  if (!z.safeParse(Header, decode(header)).success) return null;
  const { data } = z.safeParse(Payload, decode(payload));
  return data !== undefined && isConsistent(data, projectId) ? data : null;
}

function isConsistent(payload: Payload, projectId: string): boolean {
  const { iss, aud, sub, email, firebase } = payload;
  return (
    iss === `https://securetoken.google.com/${projectId}` &&
    aud === projectId &&
    payload.user_id === sub &&
    firebase.identities.email.includes(email) &&
    payload.auth_time <= payload.iat &&
    payload.exp - payload.iat === LIFETIME_S
  );
}

/** Whether the emulator could have issued this token to the account. */
export function matchesAccount(payload: Payload, account: EmulatorAccount): boolean {
  return (
    account.hasPassword &&
    account.email === payload.email &&
    account.createdAt <= payload.auth_time &&
    payload.auth_time <= account.lastSignInAt
  );
}

function decode(part: string): unknown {
  return parseJson(Buffer.from(part, "base64url").toString());
}
