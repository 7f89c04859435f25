import * as z from "zod/mini";
import { COMMON_REFUSALS, type Environment, type Refusal } from "./refusals.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export class EnvError extends Error {
  override readonly name = "EnvError";
}

/**
 * Reads a process's settings once, at boot. An empty variable counts as absent.
 * @throws {EnvError} naming every fault, one a line, and never a value: values may be secrets
 */
export function parseEnv<Schema extends z.ZodMiniObject>(
  schema: Schema,
  env: Env,
  refusals: readonly Refusal[] = COMMON_REFUSALS,
): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = z.safeParse(schema, given);
  const faults = [
    ...(parsed.error?.issues ?? []).map((issue) => describe(issue, given)),
    ...refused(given, refusals),
  ];
  if (parsed.success && faults.length === 0) return parsed.data;
  throw new EnvError(["The settings do not hold:", ...faults].join("\n"));
}

function describe(issue: z.core.$ZodIssue, env: Env): string {
  const name = String(issue.path[0]);
  return `${name} ${env[name] === undefined ? "is missing" : issue.message}`;
}

function refused(env: Env, refusals: readonly Refusal[]): string[] {
  const environment = environmentOf(env);
  return refusals.flatMap(({ name, reason }) => {
    const fault = reason(env[name], environment);
    return fault === null ? [] : [`${name} ${fault}`];
  });
}

function environmentOf({ TAPTHRU_ENV: name }: Env): Environment {
  return name === "local" || name === "demo" ? name : "production";
}
