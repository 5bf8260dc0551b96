import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { useState } from 'react';
import { queryClient } from '../api/index.ts';
import { Toasts } from '../ui/toasts.tsx';
import { type Facts, FactsProvider } from './facts.ts';
import { createDashboardRouter } from './router.tsx';
import { createBrandTheme, resolveVariables } from './theme.ts';

/** The whole dashboard. */
export function App({ facts }: { facts: Facts }) {
  const [theme] = useState(() => createBrandTheme(facts.brand.color));
  const [router] = useState(() => createDashboardRouter(facts));
  return (
    <FactsProvider value={facts}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveVariables}
        defaultColorScheme="auto"
        getStyleNonce={readNonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </MantineProvider>
    </FactsProvider>
  );
}

/** The page's own, for the style elements that Mantine writes. A browser hides it from the attribute, not from scripts. */
function readNonce(): string {
  return nonce;
}

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

// What keeps the page behind an open dialog from scrolling writes a style element of its own.
setNonce(nonce);
