const HERE = "https://here.invalid";

/** @returns true for a path of this site. Browsers skip tabs and read \ as /, so //other.example has many forms. */
export function isPathHere(text: string): boolean {
  try {
    return text.startsWith("/") && new URL(text, HERE).origin === HERE;
  } catch {
    return false;
  }
}

type How = "assign" | "replace";

/** Opens a page of this site as a new document. @returns false for another site, which is not opened */
export function leaveTo(path: string, how: How = "assign"): boolean {
  const isHere = isPathHere(path);
  if (isHere) location[how](path);
  return isHere;
}

/** Opens another site or an app, by an address of the api or of proto. */
export function openOutside(address: string, how: How = "assign"): void {
  location[how](address);
}
