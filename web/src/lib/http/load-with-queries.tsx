import type { ComponentType } from "react";

interface Loaded<Props> {
  default: ComponentType<Props>;
}

/** Loads a component that uses TanStack Query, which loads in parallel. For React's `lazy`. */
export async function loadWithQueries<Props extends object>(
  load: () => Promise<Loaded<Props>>,
): Promise<Loaded<Props>> {
  const [{ Queries }, { default: Content }] = await Promise.all([import("./queries.tsx"), load()]);
  return {
    default: (props) => (
      <Queries>
        <Content {...props} />
      </Queries>
    ),
  };
}
