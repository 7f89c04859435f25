import type { JsonSchema } from "@tapthru/proto/fields";
import { ERRORS, type ErrorCode } from "@tapthru/proto/rules/errors";
import { COMMON_HEADERS, type HEADERS, headerReferences } from "./headers.ts";

/** The base of all problems. Clients decide by `code`. */
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

export function errorReplyName(codes: readonly ErrorCode[]): string {
  return codes.join(".");
}

export function errorReply(status: number, codes: readonly ErrorCode[]) {
  const [first] = codes;
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join("\n\n"),
    headers: headerReferences([...COMMON_HEADERS, ...headersOf(status)]),
    content: {
      "text/plain": {
        schema: { type: "string", description: "One sentence for people." },
        example: first && ERRORS[first].message,
      },
      "application/problem+json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Problem" },
            {
              type: "object",
              properties: { status: { const: status }, code: { enum: codes } },
            },
          ],
        },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: { title: ERRORS[code].message, status, code } }]),
        ),
      },
    },
  };
}

function headersOf(status: number): (keyof typeof HEADERS)[] {
  if (status === 401) return ["WWW-Authenticate"];
  return status === 429 || status === 503 ? ["Retry-After"] : [];
}
