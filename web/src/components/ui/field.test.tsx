import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Field } from "./field.tsx";

const input = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Nickname" });
const description = () => document.getElementById(input().getAttribute("aria-describedby") ?? "")?.textContent;

test("an input is named by its label and described by its hint", () => {
  render(<Field label="Nickname" hint="As you like" name="nickname" />);
  expect(description()).toBe("As you like");
  expect(input().getAttribute("aria-invalid")).toBe("false");
  expect(input().name).toBe("nickname");
});

test("an error replaces the hint and marks the input as invalid", () => {
  render(<Field label="Nickname" hint="As you like" error="Nickname is required" />);
  expect(description()).toBe("Nickname is required");
  expect(input().getAttribute("aria-invalid")).toBe("true");
});

test("each field has its own description", () => {
  render(
    <>
      <Field label="Nickname" error="Too long" />
      <Field label="Title" error="Too short" />
    </>,
  );
  const ids = screen.getAllByRole("textbox").map((field) => field.getAttribute("aria-describedby"));
  expect(new Set(ids).size).toBe(2);
});
