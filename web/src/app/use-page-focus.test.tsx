import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { Link, MemoryRouter, Route, Routes, useNavigate } from "react-router-dom";
import { expect, test } from "vitest";
import { usePageFocus } from "./use-page-focus.ts";

function Site() {
  const content = usePageFocus();
  const navigate = useNavigate();
  return (
    <>
      <button type="button" onClick={() => navigate(-1)}>
        Back
      </button>
      <main ref={content} tabIndex={-1}>
        <Routes>
          <Route path="/" element={<Link to="/search">Search</Link>} />
          <Route path="/search" element={<SearchPage />} />
        </Routes>
      </main>
    </>
  );
}

function SearchPage() {
  return (
    <p>
      <Link to="/search?q=lamp">Lamps</Link>
    </p>
  );
}

function renderSite() {
  render(
    <MemoryRouter>
      <Site />
    </MemoryRouter>,
  );
  return { user: userEvent.setup(), main: screen.getByRole("main") };
}

test("leaves the focus alone on the first page", () => {
  renderSite();
  expect(document.activeElement).toBe(document.body);
});

test("focuses the content of a new page", async () => {
  const { user, main } = renderSite();
  await user.click(screen.getByRole("link", { name: "Search" }));
  expect(document.activeElement).toBe(main);
});

test("focuses the link to the previous page after going back", async () => {
  const { user } = renderSite();
  await user.click(screen.getByRole("link", { name: "Search" }));
  await user.click(screen.getByRole("button", { name: "Back" }));
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "Search" }));
});

test("leaves the focus alone when only the query changes", async () => {
  const { user } = renderSite();
  await user.click(screen.getByRole("link", { name: "Search" }));
  const lamps = screen.getByRole("link", { name: "Lamps" });
  await user.click(lamps);
  expect(document.activeElement).toBe(lamps);
});
