/**
 * Makes the browser ask before it leaves the page, as long as `isHeld` returns true.
 * @returns a function that ends it
 */
export function holdPage(isHeld: () => boolean): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (!isHeld()) return;
    event.preventDefault();
    // Chrome before 119 needs it.
    event.returnValue = true;
  };
  addEventListener("beforeunload", ask);
  return () => removeEventListener("beforeunload", ask);
}
