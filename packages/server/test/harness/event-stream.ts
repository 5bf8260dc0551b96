import { onTestFinished } from 'vitest';
import type { ApiClient } from './api-client.ts';

/** An event as a client of the stream receives it. */
export interface ReceivedEvent {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing.
  data: any;
}

/** A client of the event stream. It is closed at the end of the test. */
export interface EventStream {
  response: Response;
  /** The events that have arrived, oldest first. */
  events: ReceivedEvent[];
  /** Everything received, verbatim. */
  text(): string;
  hasEnded(): boolean;
  close(): void;
}

/** Connects to the stream and keeps reading in the background. */
export async function openStream(
  api: ApiClient,
  headers: Readonly<Record<string, string>>,
  query = '',
): Promise<EventStream> {
  const leaving = new AbortController();
  const url = `${api.baseUrl}/v1/events/stream${query}`;
  const response = await fetch(url, { headers, signal: leaving.signal });
  onTestFinished(() => leaving.abort());
  const events: ReceivedEvent[] = [];
  let text = '';
  let hasEnded = false;
  const read = async () => {
    let begun = 0;
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString();
      for (let end = text.indexOf('\n\n', begun); end !== -1; end = text.indexOf('\n\n', begun)) {
        const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(text.slice(begun, end)) ?? [];
        begun = end + 2;
        if (id !== undefined && event !== undefined && data !== undefined) {
          events.push({ id, event, data: JSON.parse(data) });
        }
      }
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true;
    });
  return { response, events, text: () => text, hasEnded: () => hasEnded, close: () => leaving.abort() };
}
