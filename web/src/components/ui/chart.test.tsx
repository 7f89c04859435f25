import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Chart } from "./chart.tsx";

const POINTS = ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04"].map((day, value) => ({
  start: `${day}T00:00:00.000Z`,
  value,
}));

/** @returns the area of the bars, which are 100 px wide, and the starts that were chosen */
function open() {
  const chosen: string[] = [];
  render(<Chart name="Taps" interval="day" points={POINTS} format={String} onSelect={(start) => chosen.push(start)} />);
  const target = screen.getByRole("slider").parentElement ?? document.body;
  vi.spyOn(target, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 400, 160));
  return { target, chosen, user: userEvent.setup() };
}

const at = (x: number) => ({ coords: { clientX: x, clientY: 80 } });

test.each([
  ["the left button", "MouseLeft", [POINTS[2]?.start]],
  ["the right button", "MouseRight", []],
  ["the middle button", "MouseMiddle", []],
])("a click of %s on a bar, which only the left button chooses", async (_name, button, wanted) => {
  const { target, chosen, user } = open();
  await user.pointer([
    { target, ...at(250) },
    { keys: `[${button}]`, target, ...at(250) },
  ]);
  expect(chosen).toEqual(wanted);
});

test("a click that ends on another bar chooses none", async () => {
  const { target, chosen, user } = open();
  await user.pointer([
    { target, ...at(250) },
    { keys: "[MouseLeft>]", target, ...at(250) },
    { target, ...at(350) },
    { keys: "[/MouseLeft]", target, ...at(350) },
  ]);
  expect(chosen).toEqual([]);
});

test("a finger shows the value of a bar first, and chooses it by a second touch", async () => {
  const { target, chosen, user } = open();
  const touch = () => user.pointer({ keys: "[TouchA]", target, ...at(150) });
  await touch();
  expect(chosen).toEqual([]);
  expect(screen.getByRole("slider").getAttribute("aria-valuetext")).toMatch(/: 1$/);
  await touch();
  expect(chosen).toEqual([POINTS[1]?.start]);
});
