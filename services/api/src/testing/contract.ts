import type { IncomingMessage, ServerResponse } from "node:http";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createDocument, type DocumentSettings } from "../reference/openapi/document.ts";

interface Reply {
  headers?: Record<string, { $ref?: string; required?: boolean; schema: object }>;
  content?: Record<string, { schema: object }>;
}

interface Operation {
  operationId: string;
  responses: Record<string, Reply & { $ref?: string }>;
}

export interface ReceivedReply {
  status: number;
  headers: ReturnType<ServerResponse["getHeaders"]>;
  body: string;
}

export class Contract {
  readonly #document;
  readonly #ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  readonly #validators = new WeakMap<object, ValidateFunction>();
  readonly #paths: { pattern: RegExp; operations: Record<string, Operation> }[];

  constructor(settings: DocumentSettings) {
    this.#document = createDocument(settings);
    const { Problem, ...schemas } = this.#document.components.schemas;
    this.#ajv.addSchema({ $id: "document", components: { schemas: { ...closed(schemas), Problem } } });
    this.#paths = Object.entries(this.#document.paths)
      // A path without parameters comes first, as in the router.
      .sort(([a], [b]) => parameterCount(a) - parameterCount(b))
      .map(([template, operations]) => ({
        pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
        operations: operations as Record<string, Operation>,
      }));
  }

  /** How a reply differs from the document. Null: it does not, or the document has no such call. */
  differenceOf({ method, url }: Pick<IncomingMessage, "method" | "url">, reply: ReceivedReply) {
    const path = url?.split("?")[0] ?? "";
    const found = this.#paths.find(({ pattern }) => pattern.test(path));
    const operation = found?.operations[method?.toLowerCase() ?? ""];
    if (operation === undefined) return null;
    const documented = this.#resolve(operation.responses[reply.status]);
    const difference =
      documented === null
        ? "the status is not documented"
        : (this.#differenceOfHeaders(documented, reply) ?? this.#differenceOfBody(documented, reply));
    return difference && `${operation.operationId}, ${reply.status}: ${difference}`;
  }

  #resolve<T extends { $ref?: string }>(part: T | undefined): T | null {
    if (part?.$ref === undefined) return part ?? null;
    const [, , kind = "", name = ""] = part.$ref.split("/");
    const components = this.#document.components as Record<string, Record<string, unknown>>;
    return components[kind]?.[name] as T;
  }

  #differenceOfHeaders({ headers = {} }: Reply, reply: ReceivedReply): string | null {
    for (const [name, header] of Object.entries(headers)) {
      const { required, schema } = this.#resolve(header) ?? header;
      const value = reply.headers[name.toLowerCase()];
      // The gateway sets this header of every reply.
      if (value === undefined && required && name !== "X-Request-Id") return `${name} is missing`;
      const validate = this.#validatorOf(schema, schema);
      for (const text of value === undefined ? [] : [value].flat()) {
        if (!validate(String(text))) return `${name} is ${text}`;
      }
    }
    return null;
  }

  #differenceOfBody({ content }: Reply, { headers, body }: ReceivedReply): string | null {
    if (content === undefined) return null;
    const type = String(headers["content-type"]).split(";")[0] ?? "";
    const media = content[type];
    if (media === undefined) return `the type ${type} is not documented`;
    const isJson = type.endsWith("json");
    const schema = type === "application/json" ? closed(media.schema) : media.schema;
    const validate = this.#validatorOf(media.schema, schema);
    if (validate(isJson ? JSON.parse(body) : body)) return null;
    return `${this.#ajv.errorsText(validate.errors, { dataVar: "body" })} in ${body.slice(0, 500)}`;
  }

  #validatorOf(key: object, schema: object): ValidateFunction {
    const known = this.#validators.get(key);
    if (known !== undefined) return known;
    const validate = this.#ajv.compile(withFullReferences(schema));
    this.#validators.set(key, validate);
    return validate;
  }
}

/** Clients must accept unknown fields, but the api sends none. */
function closed<T extends object>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    value?.type === "object" && value.properties ? { additionalProperties: false, ...value } : value,
  );
}

function withFullReferences(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (key, value) => (key === "$ref" ? `document${value}` : value));
}

function parameterCount(template: string): number {
  return template.split("{").length;
}
