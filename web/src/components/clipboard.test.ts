import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { copyText } from "./copy-button.tsx";

describe("without the Clipboard API", () => {
  const execCommand = vi.fn<(command: string) => boolean>();

  beforeEach(() => {
    vi.stubGlobal("navigator", { ...navigator, clipboard: undefined });
    Object.assign(document, { execCommand });
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(document, "execCommand");
    document.body.replaceChildren();
  });

  test("copies a selection and restores page and focus", async () => {
    const button = document.body.appendChild(document.createElement("button"));
    button.focus();
    let selected = "";
    execCommand.mockImplementation(() => {
      selected = (document.activeElement as HTMLTextAreaElement).value;
      return true;
    });
    await copyText("https://tapthru.example/l/abcdefg");
    expect(execCommand).toHaveBeenCalledWith("copy");
    expect(selected).toBe("https://tapthru.example/l/abcdefg");
    expect(document.activeElement).toBe(button);
    expect(document.querySelector("textarea")).toBeNull();
  });

  test("rejects if the browser refuses", async () => {
    execCommand.mockReturnValue(false);
    await expect(copyText("x")).rejects.toThrow("refused");
  });
});
