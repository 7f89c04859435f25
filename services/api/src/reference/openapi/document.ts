import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import { API_DESCRIPTION, API_VERSION } from "@tapthru/proto/api-info";
import { credentialsOf, type DocumentedCall, roleOf, TAGS } from "@tapthru/proto/call";
import { CALLS, type CallName } from "@tapthru/proto/calls";
import { type Example, exampleOf } from "@tapthru/proto/examples";
import type { JsonSchema } from "@tapthru/proto/fields";
import { accountId } from "@tapthru/proto/members";
import { errorReply, errorReplyName, errorsOf, PROBLEM } from "./errors.ts";
import { COMMON_HEADERS, HEADERS, headerReferences } from "./headers.ts";
import { replySchema, requestSchema } from "./schemas.ts";
import { securityOf, securitySchemes } from "./security.ts";

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
    const described: DescribedCall = { operationId, call, example: exampleOf(call), pathNames };
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

export interface Components {
  schemas: Record<string, JsonSchema>;
  responses: Record<string, unknown>;
}

export interface DescribedCall {
  operationId: string;
  call: DocumentedCall;
  example: Example;
  pathNames: Record<string, string>;
}

function describeOperation(described: DescribedCall, components: Components) {
  const { operationId, call } = described;
  const { tag, summary, description } = call;
  const body = requestBody(described);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(credentialsOf(call)),
    parameters: [...parametersIn("path", described), ...parametersIn("query", described), ...requestHeaders(call)],
    ...(body !== null && { requestBody: body }),
    responses: {
      ...replies(described, components),
      ...errorReplies(call, components),
    },
  };
}

function parametersIn(place: "path" | "query", { call, example, pathNames }: DescribedCall) {
  const [schema, examples] = place === "path" ? [call.params, example.params] : [call.query, example.query];
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = requestSchema(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as JsonSchema;
    const value = (examples as Record<string, unknown> | undefined)?.[name];
    return {
      name: place === "path" ? pathNames[name] : name,
      in: place,
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
      ...(value !== undefined && { example: value }),
    };
  });
}

function requestHeaders(call: DocumentedCall) {
  const role = roleOf(call);
  const account = role !== null && {
    [ACCOUNT_HEADER]: {
      description: `The id of the account, if it is not the caller's own, nor that of the API key. The caller must be at least ${role} there. \`own\` is the caller's, and requires one.`,
      schema: accountId,
      example: "42",
    },
  };
  return Object.entries({ ...call.requestHeaders, ...account }).map(([name, { description, schema, example }]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: requestSchema(schema),
    example,
  }));
}

function requestBody({ call, example }: DescribedCall) {
  if (call.file !== undefined) {
    const content = { schema: { type: "string" }, example: call.fileExample };
    return { required: true, content: { [call.file.type]: content } };
  }
  if (call.body === undefined) return null;
  const content = { schema: requestSchema(call.body), example: example.body };
  return { required: true, content: { "application/json": content } };
}

const STATUS_TEXTS: Record<number, string> = {
  200: "Success.",
  201: "Created.",
  202: "Accepted.",
  302: "Redirect.",
};

function replies({ call, example }: DescribedCall, { schemas }: Components) {
  const { replyHeaders = {}, otherTypes = {} } = call;
  const headers = {
    ...headerReferences(COMMON_HEADERS),
    ...Object.fromEntries(
      Object.entries(replyHeaders).map(([name, header]) => [name, { ...header, schema: { type: "string" } }]),
    ),
  };
  const entries = Object.entries(call.replies).map(([status, schema]) => {
    const reply = { description: STATUS_TEXTS[Number(status)], headers };
    // The body of a redirect is not used.
    if (status.startsWith("3")) return [status, reply];
    const content = {
      "application/json": { schema: replySchema(schema, schemas), example: example.replies[status] },
      ...(status === "200" &&
        Object.fromEntries(
          Object.entries(otherTypes).map(([type, text]) => [type, { schema: { type: "string" }, example: text }]),
        )),
    };
    return [status, { ...reply, content }];
  });
  return Object.fromEntries(entries);
}

function errorReplies(call: DocumentedCall, { responses }: Components) {
  const entries = [...errorsOf(call)].map(([status, errors]) => {
    const name = errorReplyName(errors);
    responses[name] ??= errorReply(status, errors);
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(entries);
}
