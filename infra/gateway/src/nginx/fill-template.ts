type Values = Readonly<Record<string, string | number | boolean | null>>;

const SECTION = /^ *\{\{([#^])(\w+)\}\}\n(.*?)^ *\{\{\/\2\}\}\n/gms;
/** One that is alone in its line may have a value of several lines, which are indented like it. */
const PLACEHOLDER = /^( *)\{\{(\w+)\}\}$|\{\{(\w+)\}\}/gm;

/**
 * Replaces `{{name}}` by its value. Keeps the lines between `{{#name}}` and `{{/name}}` if the value is not empty, and those
 * between `{{^name}}` and `{{/name}}` if it is.
 * @throws RangeError for a name without a value
 */
export function fillTemplate(template: string, values: Values): string {
  return chooseSections(template, values).replaceAll(PLACEHOLDER, (_, indent: string, block?: string, inline = "") =>
    block === undefined
      ? String(valueFor(inline, values))
      : String(valueFor(block, values)).replaceAll(/^(?=.)/gm, indent),
  );
}

function chooseSections(template: string, values: Values): string {
  return template.replaceAll(SECTION, (_, kind: string, name: string, lines: string) =>
    Boolean(valueFor(name, values)) === (kind === "#") ? chooseSections(lines, values) : "",
  );
}

function valueFor(name: string, values: Values) {
  const value = values[name];
  if (value === undefined) throw new RangeError(`The template has a name without a value: ${name}`);
  return value;
}

/**
 * Escapes a value for a quoted argument of an nginx directive.
 * @throws Error for `$` and control characters, which cannot be escaped in nginx
 */
export function escaped(value: string): string {
  if (/[$\p{Cc}]/u.test(value)) {
    throw new Error(`nginx cannot escape this value: ${JSON.stringify(value)}`);
  }
  return value.replace(/[\\"]/g, "\\$&");
}
