import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { createMemoryRouter, Link, Outlet, RouterProvider } from "react-router-dom";
import { beforeEach, expect, test, vi } from "vitest";
import { catchLogs } from "../testing/catch-logs.ts";
import { ErrorPage } from "./error-page.tsx";

function Broken(): never {
  throw new Error("broken");
}

function renderBroken() {
  const layout = (
    <>
      <Link to="/one">One</Link>
      <Outlet />
    </>
  );
  const pages = [
    { path: "/", element: <Broken /> },
    { path: "/one", element: <input /> },
  ];
  const router = createMemoryRouter([
    { element: layout, children: [{ errorElement: <ErrorPage />, children: pages }] },
  ]);
  render(<RouterProvider router={router} />, { onCaughtError: () => {} });
}

let logged: () => string[];
beforeEach(() => {
  logged = catchLogs("error");
});

test("a page that fails to render offers a reload, and other pages are rendered", async () => {
  const reload = vi.spyOn(location, "reload").mockImplementation(() => {});
  renderBroken();
  expect(screen.getByRole("heading").textContent).toBe("Something went wrong");
  expect(document.title).toBe("Something went wrong");
  await userEvent.click(screen.getByRole("button", { name: "Reload" }));
  expect(reload).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole("link", { name: "One" }));
  expect(screen.getByRole("textbox")).toBeTruthy();
  expect(logged()[0]).toContain("broken");
});

test("a page that cannot be loaded offline says so", () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  renderBroken();
  expect(screen.getByRole("heading").textContent).toBe("You're offline");
  expect(document.title).toBe("You're offline");
  expect(logged()[0]).toContain("broken");
});
