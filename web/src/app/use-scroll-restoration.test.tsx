import { act, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, useLocation, useNavigate } from "react-router-dom";
import { expect, test } from "vitest";
import { useScrollRestoration } from "./use-scroll-restoration.ts";

function Pages() {
  useScrollRestoration();
  const navigate = useNavigate();
  return (
    <>
      <p>{useLocation().pathname}</p>
      <button type="button" onClick={() => navigate("/detail")}>
        Open
      </button>
      <button type="button" onClick={() => navigate("?q=lamp", { replace: true })}>
        Search
      </button>
      <button type="button" onClick={() => navigate(-1)}>
        Back
      </button>
    </>
  );
}

const press = (name: string) => act(() => screen.getByRole("button", { name }).click());

function scrollDown(to: number) {
  scrollTo(0, to);
  fireEvent.scroll(window);
}

function renderPages() {
  render(
    <MemoryRouter initialEntries={["/list"]}>
      <Pages />
    </MemoryRouter>,
  );
}

test("scrolls a new page to the top, and restores the position after going back", () => {
  renderPages();
  scrollDown(700);
  press("Open");
  expect(scrollY).toBe(0);
  scrollDown(300);
  press("Back");
  expect(screen.getByText("/list")).toBeTruthy();
  expect(scrollY).toBe(700);
});

test("does not scroll when only the query changes, and restores that position too", () => {
  renderPages();
  scrollDown(700);
  press("Search");
  expect(scrollY).toBe(700);
  press("Open");
  press("Back");
  expect(scrollY).toBe(700);
});
