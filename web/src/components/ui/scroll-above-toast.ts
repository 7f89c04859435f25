/** What users may need next: the focused control, the reason of an error, the buttons of a new link. */
const NEXT = "main :focus, main [role=alert], main [data-above-toast]";
const NEW_LINK = "main [data-above-toast]";
const INVALID_FIELD = "main [aria-invalid=true]";

/**
 * Scrolls the page until what users need next is above a new toast at the bottom. What they edit stays below the top
 * bar, unless a new link does not fit below it. If they have scrolled away from it, nothing but a new link is scrolled
 * into the window.
 */
export function scrollAboveToast(place: HTMLElement) {
  if (!place.querySelector(".toast") || getComputedStyle(place).position !== "sticky") return;
  const { top } = place.getBoundingClientRect();
  const bar = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
  const isInWindow = (box: DOMRect) => box.bottom > bar && box.top < innerHeight;

  // A toast about an invalid field is not about the link below it, which is older.
  const newLink = document.querySelector(INVALID_FIELD) ? [] : boxesOf(NEW_LINK);
  const [edited] = boxesOf(`main :focus, ${INVALID_FIELD}`).filter(isInWindow);
  const next = boxesOf(NEXT).filter((box) => edited || isInWindow(box));
  const distance = Math.max(top, ...[...next, ...newLink].map(({ bottom }) => bottom)) - top;
  const room = edited && newLink.length === 0 ? Math.max(edited.top - bar, 0) : distance;
  scrollBy({ top: Math.min(distance, room), behavior: "instant" });
}

function boxesOf(selector: string): DOMRect[] {
  return [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());
}
