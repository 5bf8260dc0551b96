import { Anchor, Group } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
  redirect,
} from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useFacts } from '../app/facts.ts';
import { NotFoundScreen, ScreenFailure } from '../app/failures.tsx';
import { useAppText } from '../app/messages.ts';
import { webhookRoutes } from '../webhooks/routes.ts';
import { PortalEnd } from './portal-end.tsx';
import type { PortalFetch } from './portal-fetch.ts';

/** Only the webhooks screens, until their session ends. */
export function Portal({ onEnd }: Pick<PortalFetch, 'onEnd'>) {
  const [router] = useState(createPortalRouter);
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => onEnd(() => setEnded(true)), [onEnd]);
  return hasEnded ? <PortalEnd /> : <RouterProvider router={router} />;
}

/** The address never changes: the page that embeds the portal has its own, and a reload needs a new link. */
function createPortalRouter() {
  const root = createRootRoute({ component: PortalFrame });
  const start = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/webhooks' });
    },
  });
  return createRouter({
    routeTree: root.addChildren([start, ...webhookRoutes(root)]),
    history: createMemoryHistory({ initialEntries: ['/webhooks'] }),
    defaultErrorComponent: ScreenFailure,
    defaultNotFoundComponent: NotFoundScreen,
  });
}

function PortalFrame() {
  const t = useAppText();
  const { environment, brand } = useFacts();
  return (
    <>
      {environment === 'sandbox' && (
        <section className="environment" aria-label={t('sandbox')}>
          <span>{t('sandbox')}</span>
          <span className="environment-note">{t('sandbox_note')}</span>
        </section>
      )}
      <header className="portal">
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Group gap={8} wrap="nowrap" style={{ minWidth: 0 }}>
            <img src={brand.logo_url === '' ? '/favicon.svg' : brand.logo_url} alt="" height={24} />
            <strong className="brand">{brand.name}</strong>
          </Group>
          <nav aria-label={t('navigation')}>
            <Anchor component={Link} to="/webhooks" size="sm" fw={500}>
              {t('webhooks')}
            </Anchor>
          </nav>
        </Group>
      </header>
      <main className="portal">
        <Outlet />
      </main>
    </>
  );
}
