import { parentPort, workerData } from 'node:worker_threads';
import ipaddr from 'ipaddr.js';
import type { AttemptResult, OutgoingRequest } from './attempt.ts';
import type { ProxyRefusal } from './proxy-refusals.ts';
import { createSender } from './sender.ts';

/** What the thread is started with: the options of a sender, as structured cloning can carry them. */
export interface SendWorkerData {
  timeoutMs: number;
  allowNetworks: ReadonlyArray<{ address: string; prefixBits: number }>;
  extraCa: string | undefined;
  egressProxy: string | undefined;
}

/** What the thread is asked to do. Requests of one group are cut off together. */
export type SendOrder =
  | { requests: ReadonlyArray<{ id: number; group: number | undefined; request: OutgoingRequest }> }
  | { cutOffGroup: number }
  | { close: true };

/** What it answers. A request that was cut off before its receiver had answered has no result. */
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
  // One message for what ends in the same turn of the event loop: a message costs more than what it carries.
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
