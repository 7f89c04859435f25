import { expect, it } from "vitest";
import { nginxArgument } from "./nginx-text.ts";

it("keeps a value with spaces, quotes and backslashes one argument", () => {
  expect(nginxArgument('/a "b"; \\c')).toBe('"/a \\"b\\"; \\\\c"');
});

it.each(["/home/$user", "a\nb", "a\u0000"])("refuses what nginx cannot escape: %j", (value) => {
  expect(() => nginxArgument(value)).toThrow("nginx cannot take this value");
});
