/**
 * The path of a call in the form of the document. Paths that differ only in the names of their parameters are one path there,
 * whose parameter has both names: `/api/links/{shortCodeOrId}`.
 */
export function templateOf(path: string, allPaths: readonly string[]) {
  const same = allPaths.filter((other) => shapeOf(other) === shapeOf(path)).map(parametersOf);
  const pathNames = Object.fromEntries(
    parametersOf(path).map((name, index) => {
      const [first = name, ...others] = new Set(same.map((names) => names[index] ?? name));
      return [name, [first, ...others.map(capitalized)].join("Or")];
    }),
  );
  const template = path.replaceAll(PARAMETER, (_, name: string) => `{${pathNames[name]}}`);
  return { template, pathNames };
}

const PARAMETER = /:(\w+)/g;

function shapeOf(path: string): string {
  return path.replaceAll(PARAMETER, "{}");
}

function parametersOf(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name = ""]) => name);
}

function capitalized(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
