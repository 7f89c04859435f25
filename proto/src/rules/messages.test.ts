import { expect, it } from "vitest";
import { messages } from "./messages.ts";

it("contains the specified limits", () => {
  expect(messages.passwordTooShort).toBe("Password must be at least 6 characters");
  expect(messages.usernameTooShort).toBe("Username must be at least 3 characters");
});
