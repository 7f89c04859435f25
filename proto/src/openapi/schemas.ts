import * as z from "zod/mini";
import { User } from "../accounts.ts";
import { AmazonAdsConnection } from "../amazon-ads.ts";
import { ClickReport, ClickTotals } from "../clicks.ts";
import { LinkInExport, LinksExport } from "../export.ts";
import { inputs, type JsonSchema } from "../fields.ts";
import { GeneratedLink } from "../generate.ts";
import { Import, ImportLine, ImportWithLines } from "../imports.ts";
import { ApiKey } from "../keys.ts";
import { CountedLabel, Label } from "../labels.ts";
import { LinkHistory } from "../link-history.ts";
import { Link } from "../links.ts";
import { AccountExport, ExportedLink } from "../own-account.ts";
import { LinkPattern } from "../patterns.ts";
import { DOMAIN_NAME_PATTERN, PORTABLE_NAME, PORTABLE_SHORT_CODE, SHORT_CODE_PATTERN } from "../redirect/short-code.ts";
import { DOMAIN_MAX_LENGTH, SLUG_MAX_LENGTH, SLUG_MIN_LENGTH } from "../rules/limits.ts";
import { StoreTag } from "../stores.ts";
import { Webhook, WebhookDelivery } from "../webhooks.ts";

/** The schemas of replies that have a name in the document. */
const NAMED_SCHEMAS: Record<string, z.ZodMiniType> = {
  AccountExport,
  AmazonAdsConnection,
  ApiKey,
  ClickReport,
  ClickTotals,
  CountedLabel,
  ExportedLink,
  GeneratedLink,
  Import,
  ImportLine,
  ImportWithLines,
  Label,
  Link,
  LinkHistory,
  LinkInExport,
  LinkPattern,
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
