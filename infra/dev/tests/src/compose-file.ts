import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CONTAINERS } from "@tapthru/stack/settings-files";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { parse } from "yaml";

type Container = (typeof CONTAINERS)[number];

export const readText = (path: string) => readFileSync(join(CHECKOUT, path), "utf8");

export const compose = readText("docker-compose.yml");
export const settings = readText("infra/compose/settings.yml");
export const { services, "x-base-images": baseImages } = parse(compose, { merge: true, maxAliasCount: -1 });

/** The environment of a service's container for these Compose variables. */
export function environmentOf(service: Container, variables: Record<string, string> = {}): Record<string, string> {
  const { environment } = services[service];
  return {
    WEB_ROOT: "/app/web/dist",
    ...filledIn({ ...parse(settings).services[service].environment, ...environment }, variables),
  };
}

/** The values with Compose's variables replaced. */
function filledIn(values: object, variables: Record<string, string>) {
  const filled = Object.entries(values).map(([name, value]) => [name, interpolate(String(value), variables)]);
  return Object.fromEntries(filled) as Record<string, string>;
}

/**
 * Replaces the variables in a string from docker-compose.yml as Compose does: `${NAME:-default}` also uses the
 * default for an empty variable, and `${NAME-default}` does not; `${NAME:+text}` is the text if the variable has a
 * value. A default may contain variables.
 */
export function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  const filled = text.replace(INNERMOST, (_, name: string, operator: string, word: string) => {
    if (operator === ":+") return env[name] ? word : "";
    return operator === "-" ? (env[name] ?? word) : env[name] || word;
  });
  return filled === text ? text : interpolate(filled, env);
}

/** The variables of a text with their defaults, in order of appearance. */
export function variablesIn(text: string): { name: string; defaultValue: string }[] {
  const found = [...text.matchAll(INNERMOST)].map(([, name = "", operator, word = ""]) => ({
    name,
    defaultValue: operator === ":+" ? "" : word,
  }));
  return found.length === 0 ? [] : [...found, ...variablesIn(text.replace(INNERMOST, "…"))];
}

const INNERMOST = /\$\{([A-Z\d_]+)(:?-|:\+)([^{}$]*)\}/g;
