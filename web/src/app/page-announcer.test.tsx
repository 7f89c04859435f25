import { act, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { StrictMode, useEffect, useState } from "react";
import { Link, MemoryRouter, Route, Routes, useNavigate } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { PageAnnouncer } from "./page-announcer.tsx";

function Page({ title }: { title: string }) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return <h1>{title}</h1>;
}

function LaterPage() {
  const [isLoading, setLoading] = useState(true);
  return (
    <main>
      {isLoading ? (
        <div data-loading>
          <Page title="Loading" />
        </div>
      ) : (
        <Page title="Later" />
      )}
      <button type="button" onClick={() => setLoading(false)}>
        Finish loading
      </button>
    </main>
  );
}

function Site() {
  const navigate = useNavigate();
  return (
    <>
      <PageAnnouncer />
      <button type="button" onClick={() => navigate(-1)}>
        Back
      </button>
      <Link to="/search">Search</Link>
      <Link to="/search?q=lamp">Lamps</Link>
      <Link to="/slow">Slow</Link>
      <Link to="/later">Later</Link>
      <Routes>
        <Route path="/" element={<Page title="Home" />} />
        <Route path="/search" element={<Page title="Search" />} />
        <Route path="/later" element={<LaterPage />} />
        <Route path="/slow" element={<h1>Loading</h1>} />
      </Routes>
    </>
  );
}

beforeEach(() => {
  document.title = "Site";
});

function renderSite() {
  const { container } = render(
    <StrictMode>
      <MemoryRouter>
        <Site />
      </MemoryRouter>
    </StrictMode>,
  );
  return () => container.querySelector("[aria-live=polite]")?.textContent;
}

const click = (name: string) => userEvent.click(screen.getByText(name, { selector: "a, button" }));

test("announces the first page only after going back to it", async () => {
  const announcement = renderSite();
  expect(document.title).toBe("Home");
  expect(announcement()).toBe("");
  await click("Search");
  await waitFor(() => expect(announcement()).toBe("Search"));
  await click("Back");
  await waitFor(() => expect(announcement()).toBe("Home"));
});

test("does not announce title changes of the same page", async () => {
  const announcement = renderSite();
  await click("Search");
  await waitFor(() => expect(announcement()).toBe("Search"));
  await click("Lamps");
  await act(async () => {
    document.title = "Lamps";
  });
  expect(announcement()).toBe("Search");
});

test("announces a slow page once its title is set, not on other changes of the head", async () => {
  const announcement = renderSite();
  await click("Search");
  await waitFor(() => expect(announcement()).toBe("Search"));
  await click("Slow");
  await act(async () => document.head.append(document.createElement("link")));
  expect(announcement()).toBe("");
  document.title = "Slow";
  await waitFor(() => expect(announcement()).toBe("Slow"));
});

test("does not announce the title of a page that is loading", async () => {
  const announcement = renderSite();
  await click("Later");
  await act(async () => {});
  expect([document.title, announcement()]).toEqual(["Loading", ""]);
  await click("Finish loading");
  await waitFor(() => expect(announcement()).toBe("Later"));
});
