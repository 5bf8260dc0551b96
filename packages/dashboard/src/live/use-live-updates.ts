import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { actingFor, chosenOrganization, eventTypes, useCurrentUser, useHasRole } from '../api/index.ts';
import { createOrganizationFollower, followWithCookie, type StreamListener } from './event-source.ts';
import { setLive } from './live-state.ts';
import { shareStream } from './live-stream.ts';
import { Refresher } from './refresher.ts';

/** Keeps what the screens show up to date with the organization's events. Only admins may read them; others poll. */
export function useLiveUpdates(): void {
  const cache = useQueryClient();
  const mayFollow = useHasRole('admin');
  const { id: userId, organization } = useCurrentUser();
  const organizationId = organization.id;
  useEffect(() => {
    if (!mayFollow || !('locks' in navigator)) {
      return undefined;
    }
    const refresher = new Refresher(cache);
    const end = shareStream(`seathold.events.${userId}.${organizationId}`, chooseFollower(cache), {
      changed: (isLive, isFresh) => {
        setLive(isLive);
        if (isLive && isFresh) {
          refresher.refreshOlderThan(Date.now());
        }
      },
      happened: (event) => refresher.add(event),
    });
    return () => {
      end();
      refresher.end();
      setLive(false);
    };
  }, [cache, mayFollow, userId, organizationId]);
}

function chooseFollower(cache: QueryClient) {
  const named = actingFor ?? chosenOrganization();
  if (named !== undefined) {
    return createOrganizationFollower(named);
  }
  return async (tell: StreamListener, signal: AbortSignal) => {
    const { data } = await cache.ensureQueryData(eventTypes);
    await followWithCookie(
      data.map(({ type }) => type),
      tell,
      signal,
    );
  };
}
