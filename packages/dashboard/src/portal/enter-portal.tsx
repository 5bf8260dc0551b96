import { Seathold } from '@seathold/client';
import type { ReactNode } from 'react';
import { actWithToken } from '../api/index.ts';
import type { Facts } from '../app/facts.ts';
import { Look } from '../app/look.tsx';
import { Portal } from './portal.tsx';
import { PortalEnd } from './portal-end.tsx';
import { createPortalFetch } from './portal-fetch.ts';

/** Exchanges the secret of the link for a session, which is kept only in this page's memory, and renders the portal. */
export async function enterPortal(facts: Facts): Promise<ReactNode> {
  const link = window.location.hash.slice(1);
  // Removed from the history and the address bar. It only works once anyway.
  window.history.replaceState(null, '', window.location.pathname);
  const { send, onEnd } = createPortalFetch();
  try {
    const client = new Seathold({ baseUrl: window.location.origin, fetch: send });
    const { access_token: token } = await client.webhooks.exchangePortalLink({ token: link });
    actWithToken(token, send);
    return (
      <Look facts={facts}>
        <Portal onEnd={onEnd} />
      </Look>
    );
  } catch (error) {
    return (
      <Look facts={facts}>
        <PortalEnd error={error} />
      </Look>
    );
  }
}
