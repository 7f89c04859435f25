import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";

export const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>("button", { name });

export const click = async (name: string | RegExp) => userEvent.click(await button(name));

/** The question that is open. */
export const question = () => within(screen.getByRole("alertdialog"));

/** Answers the question that is open. */
export const answer = (name: string) => userEvent.click(question().getByRole("button", { name }));

/** The section of the page that has a heading. */
export async function section(title: string) {
  const heading = await screen.findByRole("heading", { name: title });
  return within(heading.closest("section") as HTMLElement);
}

/** Replaces the text of a field. Keys such as {Enter} are pressed. */
export async function fill(label: string, text: string): Promise<void> {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  if (text) await userEvent.type(field, text);
}

/** Whether the browser would ask before it closes or reloads the page. */
export const isReloadHeld = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));

/** Logs in again over a page whose login has ended. */
export async function logInAgain(): Promise<void> {
  const dialog = within(await screen.findByRole("dialog", { name: "Your login has ended" }));
  await userEvent.type(dialog.getByLabelText("Password"), "correct horse{Enter}");
}
