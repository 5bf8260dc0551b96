import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { askForCode, lastWriteId } from '../api/index.ts';
import { useUiText } from './messages.ts';
import { showToast } from './toasts.tsx';

/**
 * An action of a person: calls the API, reports success, and refreshes changed data. `refreshes` contains prefixes of
 * query keys.
 */
export function useAction<Input, Output>(
  run: (input: Input) => PromiseLike<Output>,
  after: {
    says?: string | ((output: Output, input: Input) => string);
    refreshes?: ReadonlyArray<readonly unknown[]>;
    succeeds?: (output: Output, input: Input) => void;
  } = {},
): UseMutationResult<Output, Error, Input> {
  const t = useUiText();
  const cache = useQueryClient();
  const before = useRef(0);
  return useMutation<Output, Error, Input>({
    mutationFn: async (input) => {
      before.current = lastWriteId();
      return run(input);
    },
    onSuccess: async (output, input) => {
      after.succeeds?.(output, input);
      if (after.says !== undefined) {
        const text = typeof after.says === 'string' ? after.says : after.says(output, input);
        // Calls with a secret are never recorded, so there is no code to show.
        const isRecorded = lastWriteId() > before.current;
        showToast(text, isRecorded ? { label: t('show_code'), run: () => askForCode(true) } : undefined);
      }
      await Promise.all((after.refreshes ?? []).map((queryKey) => cache.invalidateQueries({ queryKey })));
    },
  });
}
