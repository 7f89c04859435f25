/**
 * Replaces the variables in a string from docker-compose.yml as Compose does: `${NAME:-default}` also uses the
 * default for an empty variable, and `${NAME-default}` does not.
 */
export function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (_, name: string, operator: string, defaultValue: string) =>
    operator === "-" ? (env[name] ?? defaultValue) : env[name] || defaultValue,
  );
}

/** The names of the variables in order of appearance. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = ""]) => name);
}

const VARIABLE = /\$\{([A-Z_]+)(:?-)([^}]*)\}/g;
