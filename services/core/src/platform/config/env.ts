import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import type { Environment } from "./rules.ts";
import { SETTINGS, type Setting } from "./settings.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export class EnvError extends Error {
  override readonly name = "EnvError";
  /** One sentence for each invalid setting; never a value, which may be a secret. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(["Invalid configuration:", ...problems].join("\n"));
    this.problems = problems;
  }
}

/**
 * Reads a process's settings once, at boot. An empty variable counts as absent. If NAME_FILE is set, the content of that
 * file is the value of NAME: for mounted secrets.
 * @throws {EnvError} with all errors, one per line, without values, which may be secrets
 */
export function parseEnv<Schema extends z.ZodMiniObject>(schema: Schema, env: Env): z.output<Schema> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const names = Object.keys(schema.shape);
  const { values, unreadable } = withFiles(set, names);
  const parsed = z.safeParse(schema, values);
  const errors = [
    ...unreadable.map((name) => `${name} must be the path of a file that can be read`),
    ...(parsed.error?.issues ?? []).map((issue) => describe(issue, values)),
    ...ruleErrors(values, names),
  ];
  if (parsed.success && errors.length === 0) return parsed.data;
  throw new EnvError(errors);
}

function withFiles(set: Env, names: readonly string[]): { values: Env; unreadable: string[] } {
  const values = { ...set };
  const unreadable: string[] = [];
  for (const name of names) {
    const path = set[`${name}_FILE`];
    if (path === undefined) continue;
    try {
      values[name] = readFileSync(path, "utf8").trim();
    } catch {
      unreadable.push(`${name}_FILE`);
    }
  }
  return { values, unreadable };
}

function describe(issue: z.core.$ZodIssue, env: Env): string {
  const name = String(issue.path[0]);
  const isMissing = env[name] === undefined && issue.code !== "custom";
  return `${name} ${isMissing ? "is missing" : issue.message}`;
}

function ruleErrors(env: Env, names: readonly string[]): string[] {
  const settings: Record<string, Setting | undefined> = SETTINGS;
  const environment = environmentOf(env);
  return names.flatMap((name) => {
    const error = settings[name]?.rule?.(env[name], environment) ?? null;
    return error === null ? [] : [`${name} ${error}`];
  });
}

function environmentOf({ TAPTHRU_ENV: name }: Env): Environment {
  return name === "local" || name === "demo" ? name : "production";
}
