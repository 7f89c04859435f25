import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { ErrorBoundary } from "./error-boundary.tsx";

function Broken(): never {
  throw new Error("broken");
}

test("a page that fails to render offers a reload", async () => {
  const onCaughtError = vi.fn();
  const reload = vi.spyOn(location, "reload").mockImplementation(() => {});
  render(
    <ErrorBoundary>
      <Broken />
    </ErrorBoundary>,
    { onCaughtError },
  );
  expect(screen.getByRole("heading").textContent).toBe("Something went wrong");
  expect(document.title).toBe("Something went wrong");
  expect(onCaughtError).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole("button", { name: "Reload" }));
  expect(reload).toHaveBeenCalledOnce();
});

test("a page that cannot be loaded offline says so", () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  render(
    <ErrorBoundary>
      <Broken />
    </ErrorBoundary>,
    { onCaughtError: () => {} },
  );
  expect(screen.getByRole("heading").textContent).toBe("You're offline");
  expect(document.title).toBe("You're offline");
});

test("another page is rendered after an error, and pages keep their state", () => {
  const page = (resetKey: string, content: ReactNode) => <ErrorBoundary resetKey={resetKey}>{content}</ErrorBoundary>;
  const { rerender } = render(page("/broken", <Broken />), { onCaughtError: () => {} });
  rerender(page("/broken", <input />));
  expect(screen.queryByRole("textbox")).toBeNull();
  rerender(page("/one", <input />));
  const field = screen.getByRole("textbox");
  rerender(page("/two", <input />));
  expect(screen.getByRole("textbox")).toBe(field);
});
