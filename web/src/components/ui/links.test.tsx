import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { MemoryRouter, useLocation } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { OutsideLink, PageLink } from "./links.tsx";

test("a double click on a page link navigates once", async () => {
  const onClick = vi.fn();
  const keys = new Set<string>();
  function Page() {
    keys.add(useLocation().key);
    return (
      <PageLink to="/login" onClick={onClick}>
        Login
      </PageLink>
    );
  }
  render(
    <MemoryRouter>
      <Page />
    </MemoryRouter>,
  );
  await userEvent.dblClick(screen.getByRole("link", { name: "Login" }));
  expect(keys.size).toBe(2);
  expect(onClick).toHaveBeenCalledOnce();
});

test("a double click on an outside link opens it once", async () => {
  const prevented: boolean[] = [];
  const record = (event: MouseEvent) => {
    prevented.push(event.defaultPrevented);
    event.preventDefault();
  };
  addEventListener("click", record);
  render(<OutsideLink href="https://amazon.example/">Amazon</OutsideLink>);
  await userEvent.dblClick(screen.getByRole("link", { name: "Amazon" }));
  removeEventListener("click", record);
  expect(prevented).toEqual([false, true]);
});
