import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../api/index.ts';
import { Toasts } from '../ui/toasts.tsx';
import { type Facts, FactsProvider } from './facts.ts';
import { createBrandTheme, resolveVariables } from './theme.ts';

/** The base of every page: the brand's theme, the cache, and toasts. */
export function Look({ facts, children }: { facts: Facts; children: ReactNode }) {
  const [theme] = useState(() => createBrandTheme(facts.brand.color));
  return (
    <FactsProvider value={facts}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveVariables}
        defaultColorScheme="auto"
        getStyleNonce={readNonce}
      >
        <QueryClientProvider client={queryClient}>
          {children}
          <Toasts />
        </QueryClientProvider>
      </MantineProvider>
    </FactsProvider>
  );
}

/**
 * The page's nonce, for the style elements that Mantine writes. Browsers hide it from the attribute, not from scripts.
 */
function readNonce(): string {
  return nonce;
}

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

// The scroll lock behind an open dialog writes its own style element.
setNonce(nonce);
