import { expect, it } from "vitest";
import { escaped, fillTemplate } from "./fill-template.ts";

it.each(["{{missing}}", "a {{missing}};", "{{#missing}}\n{{/missing}}\n"])(
  "refuses a name without a value: %j",
  (template) => {
    expect(() => fillTemplate(template, {})).toThrow("without a value: missing");
  },
);

it("escapes quotes and backslashes for a quoted argument", () => {
  expect(escaped('/a "b"; \\c')).toBe('/a \\"b\\"; \\\\c');
});

it.each(["/home/$user", "a\nb", "a\u0000"])("rejects a value that nginx cannot escape: %j", (value) => {
  expect(() => escaped(value)).toThrow("nginx cannot escape this value");
});
