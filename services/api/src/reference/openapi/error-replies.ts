import type { JsonSchema } from "@tapthru/proto/fields";
import type { ErrorReply } from "@tapthru/proto/rules/error";
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

/** The name of the component that describes replies of these errors. */
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
