import * as identity from "./identity.ts";
import * as modules from "./modules.ts";
import type { ErrorReply } from "./rules/error.ts";

const pages = { ...modules, ...modules.MISSING_SCOPE, ...identity };

export type ErrorCode = {
  [Name in keyof typeof pages]: (typeof pages)[Name] extends ErrorReply<infer Code> ? Code : never;
}[keyof typeof pages];

const isError = (value: unknown): value is ErrorReply =>
  typeof value === "object" && value !== null && "code" in value && "status" in value;

export const ERRORS = Object.fromEntries(
  Object.values<unknown>(pages)
    .filter(isError)
    .map((error) => [error.code, error]),
) as Record<ErrorCode, ErrorReply>;
