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

test("a page begins at its top, and is found again where it was left", () => {
  renderPages();
  scrollDown(700);
  press("Open");
  expect(scrollY).toBe(0);
  scrollDown(300);
  press("Back");
  expect(screen.getByText("/list")).toBeTruthy();
  expect(scrollY).toBe(700);
});

test("another search on the same page moves nothing, and is found again too", () => {
  renderPages();
  scrollDown(700);
  press("Search");
  expect(scrollY).toBe(700);
  press("Open");
  press("Back");
  expect(scrollY).toBe(700);
});
