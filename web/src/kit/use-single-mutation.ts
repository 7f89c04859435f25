import { type MutateOptions, type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

type Callbacks<Data, Variables> = Pick<MutateOptions<Data, Error, Variables>, "onSuccess" | "onError">;

/**
 * A mutation that ignores calls while it is running, unless its scope queues them. isPending alone does not suffice: a second click
 * may come before it turns true.
 */
export function useSingleMutation<Data, Variables, Before = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Before>,
) {
  const isRunning = useRef(false);
  const { mutate, isPending, variables } = useMutation({
    ...options,
    // Also after the component was unmounted.
    onSettled(...outcome) {
      isRunning.current = false;
      return options.onSettled?.(...outcome);
    },
  });

  return {
    isPending,
    variables,
    /** The callbacks are not called after the component unmounts. */
    mutate(variables: Variables, callbacks?: Callbacks<Data, Variables>) {
      if (isRunning.current && !options.scope) return;
      isRunning.current = true;
      mutate(variables, { ...callbacks });
    },
  };
}
