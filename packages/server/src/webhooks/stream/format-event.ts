import type { EventRow } from '../../events/index.ts';
import { presentEvent } from '../events/present-event.ts';

/** One event of the stream. Serialized JSON has no line breaks, so the data is one line. */
export function formatEvent(organizationId: string, event: EventRow): string {
  const data = JSON.stringify(presentEvent(organizationId, event));
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${data}\n\n`;
}
