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
