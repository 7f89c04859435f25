import { expect, it } from "vitest";
import { escaped, fillTemplate } from "./fill-template.ts";

it("replaces names by their values, and indents values of several lines", () => {
  const template = 'a {\n  b "{{one}}" {{two}};\n  {{lines}}\n}\n';
  const values = { one: "x", two: 2, lines: "c;\n\nd {\n  e;\n}" };
  expect(fillTemplate(template, values)).toBe('a {\n  b "x" 2;\n  c;\n\n  d {\n    e;\n  }\n}\n');
});

it("keeps the lines of a section with a value, and of an inverted section without one", () => {
  const template = "{{#a}}\na {{a}};\n{{#b}}\nb;\n{{/b}}\n{{/a}}\n{{^a}}\nno a;\n{{/a}}\nend;\n";
  expect(fillTemplate(template, { a: "1", b: true })).toBe("a 1;\nb;\nend;\n");
  expect(fillTemplate(template, { a: "1", b: false })).toBe("a 1;\nend;\n");
  expect(fillTemplate(template, { a: null, b: true })).toBe("no a;\nend;\n");
});

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
