import { useQuery } from '@tanstack/react-query';
import { api } from '../api/index.ts';
import { Code, Loaded, Section } from '../ui/index.ts';

/** An event as it is sent. */
export function EventPayload({ eventId, title }: { eventId: string; title: string }) {
  const query = useQuery({ queryKey: ['events', eventId], queryFn: () => api().events.get(eventId) });
  return (
    <Section title={title}>
      <Loaded query={query} height={240}>
        {(event) => <Code text={JSON.stringify(event, undefined, 2)} label={title} />}
      </Loaded>
    </Section>
  );
}
