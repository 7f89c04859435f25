import { expect, it } from "vitest";
import { messages } from "./messages.ts";

it("says the specified limits in its sentences", () => {
  expect(messages.passwordTooShort).toBe("Password must be at least 6 characters");
  expect(messages.usernameTooShort).toBe("Username must be at least 3 characters");
});
