import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Documentation } from "@tapthru/proto/call";
import type { Plugin } from "vite";

const FIELDS: Record<keyof Documentation, true> = {
  summary: true,
  description: true,
  credentials: true,
  errors: true,
  requestHeaders: true,
  replyHeaders: true,
  fileExample: true,
  otherTypes: true,
  records: true,
  example: true,
};

export const CALL = /^export const (\w+) = \w+\.(?:get|post|put|patch|delete)\(/gm;

/** Removes from the calls of proto what only the OpenAPI document says, and from the list of all what is no call. */
export function withoutDocumentation(): Plugin {
  return {
    name: "tapthru:without-documentation",
    apply: "build",
    transform: {
      filter: { id: /\/proto\/src\/.*\.ts$/, code: ["resource(", "export * from"] },
      handler(code, id) {
        if (id.endsWith("/modules.ts")) {
          return code.replaceAll(/export \* from ("(.+)");/g, (_, page, path) => {
            const calls = readFileSync(join(dirname(id), path), "utf8").matchAll(CALL);
            return `export { ${[...calls].map(([, name]) => name).join()} } from ${page};`;
          });
        }
        let result = code;
        for (const statement of this.parse(code).body.toReversed()) {
          if (statement.type !== "ExportNamedDeclaration") continue;
          if (statement.declaration?.type !== "VariableDeclaration") continue;
          const init = statement.declaration.declarations[0]?.init;
          const definition = init?.type === "CallExpression" ? init.arguments[1] : undefined;
          if (definition?.type !== "ObjectExpression") continue;
          const kept = definition.properties.filter(
            (property) =>
              property.type !== "Property" ||
              property.key.type !== "Identifier" ||
              !Object.hasOwn(FIELDS, property.key.name),
          );
          const texts = kept.map(({ start, end }) => code.slice(start, end));
          result = `${result.slice(0, definition.start)}{${texts.join()}}${result.slice(definition.end)}`;
        }
        return result;
      },
    },
  };
}
