import { User } from "@tapthru/proto/accounts";
import { AmazonAdsConnection } from "@tapthru/proto/amazon-ads";
import { ClickReport, ClickTotals } from "@tapthru/proto/clicks";
import { LinkInExport, LinksExport } from "@tapthru/proto/export";
import { inputs, type JsonSchema, StoreTag } from "@tapthru/proto/fields";
import { GeneratedLink } from "@tapthru/proto/generate";
import { ApiKey } from "@tapthru/proto/keys";
import { CountedLabel, Label } from "@tapthru/proto/labels";
import { LinkHistory } from "@tapthru/proto/link-history";
import { Link } from "@tapthru/proto/links";
import { AccountExport, ExportedLink } from "@tapthru/proto/own-account";
import { DOMAIN_MAX_LENGTH, SLUG_MAX_LENGTH, SLUG_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import {
  DOMAIN_NAME_PATTERN,
  PORTABLE_NAME,
  PORTABLE_SHORT_CODE,
  SHORT_CODE_PATTERN,
} from "@tapthru/proto/rules/short-code";
import { Webhook, WebhookDelivery } from "@tapthru/proto/webhooks";
import * as z from "zod/mini";

const NAMED_SCHEMAS: Record<string, z.ZodMiniType> = {
  AccountExport,
  AmazonAdsConnection,
  ApiKey,
  ClickReport,
  ClickTotals,
  CountedLabel,
  ExportedLink,
  GeneratedLink,
  Label,
  Link,
  LinkHistory,
  LinkInExport,
  LinksExport,
  StoreTag,
  User,
  Webhook,
  WebhookDelivery,
};

const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(NAMED_SCHEMAS)) names.add(schema, { id });

const UNNAMED = z.registry<{ id: string }>();

/** Adds the named schemas that a schema refers to, and returns it in the form of the document. */
export function replySchema(schema: z.ZodMiniType, components: Record<string, JsonSchema>): JsonSchema {
  // Wrapped, because zod gives no reference for the outermost schema.
  const { properties, $defs = {} } = convert(z.object({ root: schema }), "output");
  for (const [id, definition] of Object.entries($defs)) {
    components[id] = withReferences(definition);
  }
  return withReferences(properties?.root as JsonSchema);
}

export function requestSchema(schema: z.ZodMiniType): JsonSchema {
  const { $schema, ...json } = convert(schema, "input");
  return json;
}

function convert(schema: z.ZodMiniType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    metadata: io === "output" ? names : UNNAMED,
    unrepresentable: ({ zodSchema }) => inputs.get(zodSchema)?.as ?? "throw",
    override: ({ zodSchema, jsonSchema }) => {
      // The format says it in a readable way.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (io === "input") describeInput(inputs.get(zodSchema), jsonSchema);
      else relaxReply(jsonSchema);
    },
  });
}

/** Patterns that only ECMAScript has, in a form that other languages understand. */
const PORTABLE_PATTERNS = new Map<unknown, JsonSchema>([
  [DOMAIN_NAME_PATTERN.source, { minLength: 1, maxLength: SLUG_MAX_LENGTH, pattern: `^${PORTABLE_NAME}$` }],
  [
    SHORT_CODE_PATTERN.source,
    {
      minLength: SLUG_MIN_LENGTH,
      maxLength: SLUG_MAX_LENGTH + 1 + DOMAIN_MAX_LENGTH,
      pattern: `^${PORTABLE_SHORT_CODE}$`,
    },
  ],
]);

function describeInput({ as, also }: { as?: JsonSchema; also?: JsonSchema } = {}, json: JsonSchema) {
  if (as !== undefined) for (const key of Object.keys(json)) delete json[key];
  Object.assign(json, PORTABLE_PATTERNS.get(json.pattern), as, also);
}

/** Replies may get more fields, and their numbers have no bounds that matter to a reader. */
function relaxReply(json: JsonSchema): void {
  if (json.additionalProperties === false) delete json.additionalProperties;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
}

function withReferences(json: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(json), (key, value) => {
    if (key === "$ref") return value.replace("#/$defs/", "#/components/schemas/");
    return key === "id" && typeof value === "string" ? undefined : value;
  });
}
