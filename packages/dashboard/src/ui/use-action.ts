import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { showToast } from './toasts.tsx';

/**
 * Something that a person does: calls the API, says that it was done, and refreshes what it changed. `refreshes` names the
 * beginnings of query keys.
 */
export function useAction<Input, Output>(
  run: (input: Input) => PromiseLike<Output>,
  after: {
    says?: string | ((output: Output, input: Input) => string);
    refreshes?: ReadonlyArray<readonly unknown[]>;
    succeeds?: (output: Output, input: Input) => void;
  } = {},
): UseMutationResult<Output, Error, Input> {
  const cache = useQueryClient();
  return useMutation<Output, Error, Input>({
    mutationFn: async (input) => run(input),
    onSuccess: async (output, input) => {
      after.succeeds?.(output, input);
      if (after.says !== undefined) {
        showToast(typeof after.says === 'string' ? after.says : after.says(output, input));
      }
      await Promise.all((after.refreshes ?? []).map((queryKey) => cache.invalidateQueries({ queryKey })));
    },
  });
}
