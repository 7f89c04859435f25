import { API_DESCRIPTION, API_VERSION } from "@tapthru/proto/api-info";
import { type DocumentedCall, TAGS } from "@tapthru/proto/call";
import { CALLS, type CallName } from "@tapthru/proto/calls";
import { PROBLEM } from "./error-replies.ts";
import { HEADERS } from "./headers.ts";
import { type Components, type DescribedCall, describeOperation } from "./operation.ts";
import { securitySchemes } from "./security.ts";

export interface DocumentSettings {
  publicBaseUrl: string;
  productName: string;
  contactEmail: string;
}

export function createDocument({ publicBaseUrl, productName, contactEmail }: DocumentSettings) {
  const components: Components = { schemas: { Problem: PROBLEM }, responses: {} };
  const paths: Record<string, Record<string, unknown>> = {};
  const all = Object.values<DocumentedCall>(CALLS).map(({ path }) => path);
  for (const operationId of Object.keys(CALLS) as CallName[]) {
    const call: DocumentedCall = CALLS[operationId];
    const { template, pathNames } = templateOf(call.path, all);
    const described: DescribedCall = { operationId, call, pathNames };
    paths[template] = {
      ...paths[template],
      [call.method.toLowerCase()]: describeOperation(described, components),
    };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: `${productName} API`,
      version: API_VERSION,
      description: API_DESCRIPTION,
      contact: { email: contactEmail },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicBaseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: securitySchemes(publicBaseUrl.startsWith("https:")),
      headers: HEADERS,
      ...components,
    },
  };
}

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
