import { describe, expect, it } from 'vitest';
import { isConcerned, isLiveQuery } from '../src/live/concerned-queries.ts';
import { readLiveEvent } from '../src/live/live-event.ts';
import { readServerSentEvents } from '../src/live/read-server-sent-events.ts';

const ACQUIRED = { id: 'evt_1', type: 'license.seat.acquired', ids: ['lic_1'] };
const PAID = { id: 'evt_2', type: 'invoice.paid', ids: ['inv_1', 'sub_1'] };

describe('isConcerned', () => {
  it.each([
    [['licenses', 'figures']],
    [['licenses', 'all']],
    [['licenses', 'lic_1']],
    [['licenses', 'lic_1', 'seats']],
    [['events', 'list', undefined]],
    [['events', 'list', 'license.seat.acquired']],
    [['events', 'recent']],
    [['webhooks', 'whk_1', 'deliveries', 'all']],
    [['usage']],
  ])('refreshes %j when a seat is acquired', (key) => {
    expect(isConcerned(ACQUIRED, key)).toBe(true);
  });

  it.each([
    [['licenses', 'lic_2', 'seats']],
    [['events', 'list', 'invoice.paid']],
    [['events', 'evt_9']],
    [['webhooks']],
    [['invoices', {}]],
    [['subscriptions', 'sub_1']],
    [['me']],
    [['projects', 'all']],
  ])('leaves %j alone when a seat is acquired', (key) => {
    expect(isConcerned(ACQUIRED, key)).toBe(false);
  });

  it('refreshes the paid invoice, the list of invoices and the credit', () => {
    for (const key of [['invoices', 'inv_1'], ['invoices', {}], ['credit-balance']]) {
      expect(isConcerned(PAID, key)).toBe(true);
    }
    expect(isConcerned(PAID, ['invoices', 'inv_2'])).toBe(false);
  });
});

it('the dashboard knows which queries events keep up to date', () => {
  expect(isLiveQuery(['licenses', 'figures'])).toBe(true);
  expect(isLiveQuery(['projects', 'all'])).toBe(false);
});

describe('readServerSentEvents', () => {
  it('reads events however the network splits them', async () => {
    const text = 'retry: 2000\n\nid: evt_1\nevent: invoice.paid\ndata: {"id":"evt_1"}\n\n: beat\n\ndata: {"ü":1}\n\n';
    const bytes = new TextEncoder().encode(text);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) {
          controller.enqueue(Uint8Array.of(byte));
        }
        controller.close();
      },
    });
    const read: string[] = [];
    for await (const data of readServerSentEvents(body)) {
      read.push(data);
    }
    expect(read).toEqual(['{"id":"evt_1"}', '{"ü":1}']);
  });
});

describe('readLiveEvent', () => {
  it('keeps the type and the resources of an event, and nothing else', () => {
    const object = { session_id: 'sess_1', license_id: 'lic_1', user_id: 'usr_1' };
    const data = JSON.stringify({ id: 'evt_1', type: 'license.seat.acquired', data: { object } });
    expect(readLiveEvent(data)).toEqual({ id: 'evt_1', type: 'license.seat.acquired', ids: ['lic_1'] });
  });

  it('is undefined for anything that is not an event', () => {
    expect(readLiveEvent('null')).toBeUndefined();
  });
});
