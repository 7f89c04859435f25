/**
 * Replaces the variables in a string from docker-compose.yml as Compose does: `${NAME:-default}` also uses the
 * default for an empty variable, and `${NAME-default}` does not. A default may contain variables.
 */
export function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  const filled = text.replace(INNERMOST, (_, name: string, operator: string, defaultValue: string) =>
    operator === "-" ? (env[name] ?? defaultValue) : env[name] || defaultValue,
  );
  return filled === text ? text : interpolate(filled, env);
}

/** The variables of a text with their defaults, in order of appearance. */
export function variablesIn(text: string): { name: string; defaultValue: string }[] {
  const found = [...text.matchAll(INNERMOST)].map(([, name = "", , defaultValue = ""]) => ({ name, defaultValue }));
  return found.length === 0 ? [] : [...found, ...variablesIn(text.replace(INNERMOST, "…"))];
}

const INNERMOST = /\$\{([A-Z\d_]+)(:?-)([^{}$]*)\}/g;
