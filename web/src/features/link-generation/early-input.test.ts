import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import html from "../../../index.html?raw";
import { readEarlyInput, takeEarlyPastes } from "./early-input.ts";

test("the inline script of index.html records links until the page takes them, and no other field", () => {
  runInThisContext(/<script>(.*?)<[/]script>/s.exec(html)?.[1] ?? "");
  document.body.innerHTML = `<input name="url"><input name="password"><p>text</p>`;

  function type(name: string, text: string) {
    const field = document.querySelector(`[name=${name}]`) as HTMLInputElement;
    field.value = text;
    field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
  }

  function paste(text: string) {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { bubbles: true, clipboardData });
    document.querySelector("p")?.dispatchEvent(event);
  }

  type("url", "a link");
  type("password", "secret1");
  paste("another link");
  expect(readEarlyInput()).toMatchObject({ text: "a link", type: "insertText" });
  expect(takeEarlyPastes()).toEqual([{ path: "/", text: "another link" }]);
  type("url", "x");
  paste("y");
  expect([globalThis.earlyInput, globalThis.earlyPastes]).toEqual([undefined, undefined]);
});
