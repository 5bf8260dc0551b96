import { useParams } from '@tanstack/react-router';
import { CopyId, Page } from '../ui/index.ts';
import { EventPayload } from './event-payload.tsx';
import { useEventsText } from './messages.ts';

/** One event with its payload. */
export function EventScreen() {
  const t = useEventsText();
  const { eventId = '' } = useParams({ strict: false });
  return (
    <Page title={t('event')} about={<CopyId id={eventId} />}>
      <EventPayload eventId={eventId} title={t('payload')} />
    </Page>
  );
}
