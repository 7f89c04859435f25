import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import { credentialsOf, type DocumentedCall, roleOf } from "@tapthru/proto/call";
import type { JsonSchema } from "@tapthru/proto/fields";
import { accountId } from "@tapthru/proto/members";
import { errorReply, errorReplyName } from "./error-replies.ts";
import { errorsOf } from "./errors.ts";
import { COMMON_HEADERS, headerReferences } from "./headers.ts";
import { replySchema, requestSchema } from "./schemas.ts";
import { securityOf } from "./security.ts";

export interface Components {
  schemas: Record<string, JsonSchema>;
  responses: Record<string, unknown>;
}

export interface DescribedCall {
  operationId: string;
  call: DocumentedCall;
  pathNames: Record<string, string>;
}

export function describeOperation(described: DescribedCall, components: Components) {
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
      ...replies(call, components),
      ...errorReplies(call, components),
    },
  };
}

function parametersIn(place: "path" | "query", { call, pathNames }: DescribedCall) {
  const [schema, examples] = place === "path" ? [call.params, call.example.params] : [call.query, call.example.query];
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

function requestBody({ call }: DescribedCall) {
  const { example, fileExample } = call;
  if (call.file !== undefined) {
    const content = { schema: { type: "string" }, example: fileExample };
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

function replies(call: DocumentedCall, { schemas }: Components) {
  const { replyHeaders = {}, otherTypes = {}, example } = call;
  const examples = example.replies as Record<string, unknown>;
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
      "application/json": { schema: replySchema(schema, schemas), example: examples[status] },
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
