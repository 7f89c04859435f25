import type { ComponentProps, MouseEvent } from "react";
import { Link, type LinkProps } from "react-router-dom";

/** A link to another page of the site. A double click adds one history entry. */
export function PageLink({ onClick, ...props }: LinkProps) {
  return (
    <Link
      {...props}
      onClick={(event) => {
        ignoreSecondClick(event);
        if (!event.defaultPrevented) onClick?.(event);
      }}
    />
  );
}

/** A link to an address that the router does not serve. A double click opens it once. */
export function OutsideLink({
  href,
  children,
  ...props
}: Omit<ComponentProps<"a">, "href" | "onClick"> & { href: string }) {
  return (
    <a href={href} {...props} onClick={ignoreSecondClick}>
      {children}
    </a>
  );
}

/** The next page may take a moment to load, and the second click of a double click comes before it. */
function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}
