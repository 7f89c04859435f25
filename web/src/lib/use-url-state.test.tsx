import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter, useLocation, useNavigate } from "react-router-dom";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { useUrlState } from "./use-url-state.ts";

const View = z.object({
  show: z.catch(z.enum(["person", "bot"]), "person"),
  label: z.catch(z.nullable(z.string().check(z.regex(/^\d+$/))), null),
});

function renderView(search: string) {
  const entry = { pathname: "/clicks", search, state: { from: "list" } };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={["/", entry]}>{children}</MemoryRouter>
  );
  const useView = () => {
    const [view, change] = useUrlState(View);
    return { view, change, location: useLocation(), navigate: useNavigate() };
  };
  return renderHook(useView, { wrapper }).result;
}

test("parameters that are missing or invalid have their defaults", () => {
  expect(renderView("?show=nobody&label=x").current.view).toEqual({ show: "person", label: null });
  expect(renderView("?show=bot&label=7").current.view).toEqual({ show: "bot", label: "7" });
});

test("a change keeps other parameters and the state, leaves defaults out, and adds no entry to the history", () => {
  const result = renderView("?show=bot&tab=1");
  act(() => result.current.change({ show: "person", label: "7" }));
  expect(result.current.location.search).toBe("?tab=1&label=7");
  expect(result.current.location.state).toEqual({ from: "list" });
  act(() => result.current.navigate(-1));
  expect(result.current.location.pathname).toBe("/");
});

test("two changes before the page is rendered are both made", () => {
  const result = renderView("?tab=1");
  act(() => {
    result.current.change({ show: "bot" });
    result.current.change({ label: "7" });
  });
  expect(result.current.location.search).toBe("?tab=1&show=bot&label=7");
  act(() => result.current.navigate("?tab=2"));
  act(() => result.current.change({ label: "8" }));
  expect(result.current.location.search).toBe("?tab=2&label=8");
});

test("going back shows what was shown before, if a change says so", () => {
  const result = renderView("?label=7");
  act(() => result.current.change({ label: null }, false));
  expect(result.current.view.label).toBeNull();
  act(() => result.current.navigate(-1));
  expect(result.current.view.label).toBe("7");
});
