/**
 * A text of docker-compose.yml with its variables filled in, as Compose does it: `${NAME:-default}`
 * takes the default for an empty variable, too.
 */
export function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (_, name: string, standard: string) => env[name] || standard);
}

/** The names of the variables, in the order in which they stand. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = ""]) => name);
}

const VARIABLE = /\$\{([A-Z_]+):-([^}]*)\}/g;
