import { act, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { onTestFinished } from "vitest";

type Name = string | RegExp;

export const heading = (name: Name) => screen.findByRole("heading", { name });
export const button = (name: Name) => screen.findByRole<HTMLButtonElement>("button", { name });
export const link = (name: Name) => screen.findByRole<HTMLAnchorElement>("link", { name });

export const click = async (name: Name) => userEvent.click(await button(name));

/** Clicks a checkbox or radio that is on the page or appears. */
export const check = async (name: Name, role: "checkbox" | "radio" = "checkbox") =>
  userEvent.click(await screen.findByRole(role, { name }));

/** Chooses an option of a list that is on the page or appears. */
export const choose = async (list: Name, option: string) =>
  userEvent.selectOptions(await screen.findByRole("combobox", { name: list }), option);

/** The question that is open. */
export const question = () => within(screen.getByRole("alertdialog"));

/** Answers the question that is open. */
export const answer = (name: string) => userEvent.click(question().getByRole("button", { name }));

/** The section of the page that has a heading. */
export async function section(title: string) {
  const heading = await screen.findByRole("heading", { name: title });
  return within(heading.closest("section") as HTMLElement);
}

export const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

/** Returns the hint or error of a field. */
export const noteOf = (input: Element) =>
  document.getElementById(input.getAttribute("aria-describedby") ?? "")?.textContent;

/** Replaces the text of a field. Keys such as {Enter} are pressed. */
export async function fill(label: string, text: string): Promise<void> {
  const input = await screen.findByLabelText(label);
  await userEvent.clear(input);
  if (text) await userEvent.type(input, text);
}

export const textsOf = (elements: Element[]) => elements.map(({ textContent }) => textContent);

/** The cells of each row of a table, with common spaces only. @param separator between cells */
export async function rowsOf(table: string, separator = " "): Promise<string[]> {
  const rows = within(await screen.findByRole("table", { name: table })).getAllByRole("row");
  return rows.map((row) =>
    textsOf([...row.children])
      .join(separator)
      .replaceAll(/\s/g, " "),
  );
}

/** Pastes a text outside any field. */
export function pasteOnPage(text: string, target: Element = document.body) {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData });
  act(() => void target.dispatchEvent(event));
}

/** Adds what happy-dom does not have to the navigator for this test. */
export function stubNavigator(name: "share" | "credentials", value: unknown) {
  Object.defineProperty(navigator, name, { value, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, name));
}

/** Returns true if the browser would ask before it closes or reloads the page. */
export const isReloadHeld = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
