import { parentPort, workerData } from 'node:worker_threads';
import ipaddr from 'ipaddr.js';
import type { AttemptResult, OutgoingRequest } from './attempt.ts';
import type { ProxyRefusal } from './proxy-refusals.ts';
import { createSender } from './sender.ts';

/** The thread's start options: the options of a sender that can be structured-cloned. */
export interface SendWorkerData {
  timeoutMs: number;
  allowNetworks: ReadonlyArray<{ address: string; prefixBits: number }>;
  extraCa: string | undefined;
  egressProxy: string | undefined;
}

/** Messages to the thread. Requests of one group are cut off together. */
export type SendOrder =
  | { requests: ReadonlyArray<{ id: number; group: number | undefined; request: OutgoingRequest }> }
  | { cutOffGroup: number }
  | { close: true };

/** Messages from the thread. A request that was cut off before its receiver responded has no result. */
export type SendReport =
  | { outcomes: ReadonlyArray<{ id: number; result: AttemptResult | undefined }> }
  | { proxyRefusal: ProxyRefusal }
  | { closed: true };

const data: SendWorkerData = workerData;
const sender = createSender({
  timeoutMs: data.timeoutMs,
  allowNetworks: data.allowNetworks.map(({ address, prefixBits }) => ({ address: ipaddr.parse(address), prefixBits })),
  extraCa: data.extraCa,
  egressProxy: data.egressProxy === undefined ? undefined : new URL(data.egressProxy),
  onProxyRefusal: (proxyRefusal) => report({ proxyRefusal }),
});
const groups = new Map<number, AbortController>();
let outcomes: Array<{ id: number; result: AttemptResult | undefined }> = [];

parentPort?.on('message', (order: SendOrder) => {
  if ('requests' in order) {
    for (const each of order.requests) {
      void send(each);
    }
  } else if ('cutOffGroup' in order) {
    signalOf(order.cutOffGroup).abort();
  } else {
    void sender.close().then(() => {
      reportOutcomes();
      report({ closed: true });
    });
  }
});

async function send({ id, group, request }: { id: number; group: number | undefined; request: OutgoingRequest }) {
  const signal = group === undefined ? undefined : signalOf(group).signal;
  const result = await sender.send(request, signal).catch(() => undefined);
  // One message for all results of a turn of the event loop, because a message costs more than its content.
  if (outcomes.push({ id, result }) === 1) {
    setImmediate(reportOutcomes);
  }
}

function reportOutcomes(): void {
  if (outcomes.length > 0) {
    const ended = outcomes;
    outcomes = [];
    report({ outcomes: ended });
  }
}

function signalOf(group: number): AbortController {
  const known = groups.get(group) ?? new AbortController();
  groups.set(group, known);
  return known;
}

function report(message: SendReport): void {
  parentPort?.postMessage(message);
}
