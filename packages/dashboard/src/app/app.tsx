import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import type { Facts } from './facts.ts';
import { Look } from './look.tsx';
import { createDashboardRouter } from './router.tsx';

/** The whole dashboard. */
export function App({ facts }: { facts: Facts }) {
  const [router] = useState(() => createDashboardRouter(facts));
  return (
    <Look facts={facts}>
      <RouterProvider router={router} />
    </Look>
  );
}
