import { type Credentials, credentialsOf, type DocumentedCall, roleOf } from "@tapthru/proto/call";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import { ERRORS, type ErrorCode } from "@tapthru/proto/rules/errors";
import { MISSING_SCOPE } from "../../callers/key-access.ts";

/** Codes of the service and of the gateway that any request may get. */
const EVERY_CALL: readonly ErrorCode[] = [
  "address-too-long",
  "bad-gateway",
  "gateway-timeout",
  "headers-too-large",
  "internal",
  "malformed-request",
  "too-many-requests",
  "unavailable",
];

export function errorCodes(call: DocumentedCall): Map<number, ErrorCode[]> {
  const codes = new Set([
    ...EVERY_CALL,
    ...(call.errors ?? []),
    ...accessErrors(credentialsOf(call)),
    ...(roleOf(call) === null ? [] : (["login-required"] as const)),
    ...roleErrors(call),
    ...(call.needsConfirmedEmail ? (["email-not-confirmed"] as const) : []),
    ...inputErrors(call),
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...codes].sort()) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

function accessErrors(access: Credentials): ErrorCode[] {
  const credentials = new Set(access.flat());
  const scopes = API_KEY_SCOPES.filter((scope) => credentials.has(scope));
  const codes: ErrorCode[] = scopes.map((scope) => MISSING_SCOPE[scope]);
  if (!access.some((alternative) => alternative.length === 0)) codes.push("login-required");
  if (scopes.length > 0) codes.push("bad-key");
  else if (credentials.size > 0) codes.push("key-not-allowed");
  if (credentials.has("firebaseToken")) codes.push("bad-token");
  return codes;
}

function roleErrors(call: DocumentedCall): ErrorCode[] {
  if (call.access === "anyone") return [];
  const role = roleOf(call);
  if (role === null) return ["other-account"];
  return role === "viewer" ? ["not-a-member"] : ["not-a-member", "role-required"];
}

function inputErrors({ method, params, query, body, file }: DocumentedCall): ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (method !== "GET") codes.push("bad-origin");
  if (params) codes.push("not-found");
  if (query) codes.push("invalid-query");
  if (body) codes.push("invalid-body", "malformed-body", "unsupported-media-type");
  if (body || file) codes.push("body-too-large");
  return codes;
}
