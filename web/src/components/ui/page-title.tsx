const SIZES = {
  large: "text-3xl sm:text-4xl",
  /** For the narrow column above a form. */
  small: "text-2xl sm:text-3xl",
};

interface PageTitleProps {
  size?: keyof typeof SIZES;
  children: string;
}

export function PageTitle({ size = "large", children }: PageTitleProps) {
  return <h1 className={`font-semibold tracking-tight text-balance ${SIZES[size]}`}>{children}</h1>;
}
