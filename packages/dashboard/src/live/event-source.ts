import { type LiveEvent, readLiveEvent } from './live-event.ts';
import { readServerSentEvents } from './read-server-sent-events.ts';

const PATH = '/v1/events/stream';

/** The callbacks of a stream. */
export interface StreamListener {
  opened: () => void;
  happened: (event: LiveEvent) => void;
}

/**
 * Follows the stream with the browser's own EventSource, which sends the session's cookie and reconnects automatically.
 * Resolves when the stream is refused or the signal ends it. `types` are all event types: each has a listener, because
 * the service names the events.
 */
export function followWithCookie(types: readonly string[], tell: StreamListener, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const source = new EventSource(PATH);
    const end = () => {
      source.close();
      resolve();
    };
    let hasHeard = false;
    const pass = ({ data }: MessageEvent<string>) => {
      const event = readLiveEvent(data);
      if (event !== undefined) {
        hasHeard = true;
        tell.happened(event);
      }
    };
    source.addEventListener('open', tell.opened);
    // When it reconnects, nothing is lost, because it sends the ID of the last event. Before the first event it has no
    // ID to send, so events may be missing, as after a refusal, which closes it permanently.
    source.addEventListener('error', () => (source.readyState === EventSource.CLOSED || !hasHeard) && end());
    for (const type of types) {
      source.addEventListener(type, pass);
    }
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Follows the stream in an organization other than the login's: an EventSource could not send its header. */
export function createOrganizationFollower(organizationId: string) {
  let lastId: string | undefined;
  return async (tell: StreamListener, signal: AbortSignal): Promise<void> => {
    const answer = await fetch(PATH, {
      headers: {
        accept: 'text/event-stream',
        'x-organization-id': organizationId,
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
      credentials: 'same-origin',
      cache: 'no-store',
      signal,
    });
    if (!answer.ok || answer.body === null) {
      await answer.body?.cancel();
      return;
    }
    tell.opened();
    for await (const data of readServerSentEvents(answer.body)) {
      const event = readLiveEvent(data);
      if (event !== undefined) {
        lastId = event.id;
        tell.happened(event);
      }
    }
  };
}
