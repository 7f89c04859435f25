/** What users need next: the focused control, the reason of an error, the buttons of a new link. */
const NEXT = "main :focus, main [role=alert], main [data-above-toast]";

/**
 * Scrolls the page until what users need next is above a new toast at the bottom. The focused control stays below the
 * top bar.
 */
export function scrollAboveToast(place: HTMLElement) {
  if (!place.querySelector(".toast") || getComputedStyle(place).position !== "sticky") return;
  const { top } = place.getBoundingClientRect();
  const bottoms = [...document.querySelectorAll(NEXT)].map(
    (element) => element.getBoundingClientRect().bottom,
  );
  const distance = Math.max(...bottoms, top) - top;
  const bar = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
  const focused = document.querySelector("main :focus")?.getBoundingClientRect().top;
  const room = focused === undefined ? distance : Math.max(focused - bar, 0);
  scrollBy({ top: Math.min(distance, room), behavior: "instant" });
}
