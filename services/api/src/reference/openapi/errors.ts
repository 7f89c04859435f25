import { emailNotConfirmed } from "@tapthru/proto/accounts";
import { type Credentials, credentialsOf, type DocumentedCall, roleOf } from "@tapthru/proto/call";
import {
  addressTooLong,
  badGateway,
  badOrigin,
  badToken,
  bodyTooLarge,
  gatewayTimeout,
  headersTooLarge,
  internal,
  invalidBody,
  invalidQuery,
  loginRequired,
  malformedBody,
  malformedRequest,
  notFound,
  tooManyRequests,
  unavailable,
  unsupportedMediaType,
} from "@tapthru/proto/general-errors";
import { badKey, keyNotAllowed, MISSING_SCOPE } from "@tapthru/proto/keys";
import { notAMember, otherAccount, roleRequired } from "@tapthru/proto/members";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import type { ErrorReply } from "@tapthru/proto/rules/error";

/** Errors of the service and of the gateway that any request may get. */
const EVERY_CALL: readonly ErrorReply[] = [
  addressTooLong,
  badGateway,
  gatewayTimeout,
  headersTooLarge,
  internal,
  malformedRequest,
  tooManyRequests,
  unavailable,
];

export function errorsOf(call: DocumentedCall): Map<number, ErrorReply[]> {
  const errors = new Set([
    ...EVERY_CALL,
    ...(call.errors ?? []),
    ...accessErrors(credentialsOf(call)),
    ...(roleOf(call) === null ? [] : [loginRequired]),
    ...roleErrors(call),
    ...(call.needsConfirmedEmail ? [emailNotConfirmed] : []),
    ...inputErrors(call),
  ]);
  return Map.groupBy(
    [...errors].sort((a, b) => (a.code < b.code ? -1 : 1)),
    ({ status }) => status,
  );
}

function accessErrors(access: Credentials): ErrorReply[] {
  const credentials = new Set(access.flat());
  const scopes = API_KEY_SCOPES.filter((scope) => credentials.has(scope));
  const errors: ErrorReply[] = scopes.map((scope) => MISSING_SCOPE[scope]);
  if (!access.some((alternative) => alternative.length === 0)) errors.push(loginRequired);
  if (scopes.length > 0) errors.push(badKey);
  else if (credentials.size > 0) errors.push(keyNotAllowed);
  if (credentials.has("firebaseToken")) errors.push(badToken);
  return errors;
}

function roleErrors(call: DocumentedCall): ErrorReply[] {
  if (call.access === "anyone") return [];
  const role = roleOf(call);
  if (role === null) return [otherAccount];
  return role === "viewer" ? [notAMember] : [notAMember, roleRequired];
}

function inputErrors({ method, params, query, body, file }: DocumentedCall): ErrorReply[] {
  const errors: ErrorReply[] = [];
  if (method !== "GET") errors.push(badOrigin);
  if (params) errors.push(notFound);
  if (query) errors.push(invalidQuery);
  if (body) errors.push(invalidBody, malformedBody, unsupportedMediaType);
  if (body || file) errors.push(bodyTooLarge);
  return errors;
}
