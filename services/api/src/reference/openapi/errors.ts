import { emailNotConfirmed } from "@tapthru/proto/accounts";
import { type Credentials, credentialsOf, type DocumentedCall, roleOf } from "@tapthru/proto/call";
import type { JsonSchema } from "@tapthru/proto/fields";
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
import { COMMON_HEADERS, type HEADERS, headerReferences } from "./headers.ts";

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

export const PROBLEM: JsonSchema = {
  type: "object",
  description:
    "An error, for clients that accept application/problem+json (RFC 9457). Decide by `code`: it never changes, the title may.",
  required: ["title", "status", "code"],
  properties: {
    title: { type: "string", description: "One sentence for people." },
    status: { type: "integer" },
    code: { type: "string" },
    field: { type: "string", description: "The field that caused the error, if it is known." },
  },
};

export function errorReplyName(errors: readonly ErrorReply[]): string {
  return errors.map(({ code }) => code).join(".");
}

export function errorReply(status: number, errors: readonly ErrorReply[]) {
  const [first] = errors;
  return {
    description: errors.map(({ code, message }) => `\`${code}\`: ${message}`).join("\n\n"),
    headers: headerReferences([...COMMON_HEADERS, ...headersOf(status)]),
    content: {
      "text/plain": {
        schema: { type: "string", description: "One sentence for people." },
        example: first?.message,
      },
      "application/problem+json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Problem" },
            {
              type: "object",
              properties: { status: { const: status }, code: { enum: errors.map(({ code }) => code) } },
            },
          ],
        },
        examples: Object.fromEntries(
          errors.map(({ code, message }) => [code, { value: { title: message, status, code } }]),
        ),
      },
    },
  };
}

function headersOf(status: number): (keyof typeof HEADERS)[] {
  if (status === 401) return ["WWW-Authenticate"];
  return status === 429 || status === 503 ? ["Retry-After"] : [];
}
