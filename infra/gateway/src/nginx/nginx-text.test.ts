import { expect, it } from "vitest";
import { nginxArgument } from "./nginx-text.ts";

it("quotes a value with spaces, quotes and backslashes as one argument", () => {
  expect(nginxArgument('/a "b"; \\c')).toBe('"/a \\"b\\"; \\\\c"');
});

it.each(["/home/$user", "a\nb", "a\u0000"])(
  "rejects values that nginx cannot escape: %j",
  (value) => {
    expect(() => nginxArgument(value)).toThrow("nginx cannot escape this value");
  },
);
