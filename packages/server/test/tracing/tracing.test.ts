import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect } from 'vitest';
import { createLogger } from '../../src/log/index.ts';
import { startTracing, tracing } from '../../src/tracing/index.ts';
import { createTest } from '../harness/fixtures.ts';
import { startAppForTest, type TestApp } from '../harness/index.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: ReadonlyArray<{ key: string; value: { stringValue?: string; intValue?: number | string } }>;
  events?: ReadonlyArray<{ name: string; attributes: Span['attributes'] }>;
}

/** A receiver of OTLP over HTTP, and what it got. */
async function startReceiver() {
  const spans: Span[] = [];
  const services = new Set<string | undefined>();
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse((await request.setEncoding('utf8').toArray()).join(''));
    for (const { resource, scopeSpans } of resourceSpans) {
      services.add(attributeOf(resource, 'service.name'));
      spans.push(...scopeSpans.flatMap((each: { spans: Span[] }) => each.spans));
    }
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { spans, services, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const attributeOf = ({ attributes }: Pick<Span, 'attributes'>, key: string) => {
  const value = attributes.find((each) => each.key === key)?.value;
  return value?.stringValue ?? value?.intValue?.toString();
};

let stop: (() => Promise<void>) | undefined;
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

const it = createTest()
  .override('options', ({ receiver }) => ({ settings: { ...receiver.settings, SEATHOLD_TRUST_PROXY: '127.0.0.1' } }))
  .extend('collector', async ({}, { onCleanup }) => {
    const collector = await startReceiver();
    onCleanup(() => void collector.close());
    return collector;
  })
  .extend('trace', ({ collector }) => async (work: () => Promise<void>): Promise<Span[]> => {
    stop = await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, '1.2.3', () => undefined);
    await work();
    await stop();
    stop = undefined;
    return collector.spans;
  });

const PARENT = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${PARENT.traceId}-${PARENT.spanId}-01`;

/** Sends a request. Returns its line in the log. */
async function call(app: TestApp, path: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(app.api.baseUrl + path, init);
  await answer.text();
  const id = answer.headers.get('x-request-id') ?? '';
  await expect.poll(() => app.requestLines.some((each) => each.includes(id))).toBe(true);
  return JSON.parse(app.requestLines.find((each) => each.includes(id)) ?? '{}');
}

describe('traces', () => {
  it('lead from a request through its statements and its event to the delivery', async ({
    app,
    ada,
    receiver,
    collector,
    trace,
  }) => {
    const endpoint = { url: receiver.url('/hook'), events: ['license.seat.acquired'] };
    const created = await app.api.post('/v1/webhooks', ada.accessToken, endpoint);
    expect(created.status).toBe(201);
    const license = await app.issueLicense(ada.organizationId, { maxSeats: 2 });
    let line: Record<string, unknown> = {};
    const spans = await trace(async () => {
      line = await call(app, '/v1/licenses/acquire', {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ license_key: license.key, hardware_id: `hw_${'a'.repeat(32)}` }),
      });
      await app.runJobs();
      await expect.poll(() => receiver.received.length).toBe(1);
    });
    const request = spans.find((each) => each.name === 'POST /v1/licenses/acquire');
    expect(request).toBeDefined();
    expect(attributeOf(request ?? { attributes: [] }, 'http.response.status_code')).toBe('201');
    expect(attributeOf(request ?? { attributes: [] }, 'seathold.request_id')).toBe(line.request_id);
    expect(line).toMatchObject({ trace_id: request?.traceId });
    const inTrace = spans.filter((each) => each.traceId === request?.traceId);
    const statement = inTrace.find((each) => attributeOf(each, 'db.system.name') === 'postgresql');
    expect(statement?.parentSpanId).toBe(request?.spanId);
    const delivery = inTrace.find((each) => each.name === 'deliver license.seat.acquired');
    const written = inTrace.flatMap((each) => each.events ?? []).map((each) => attributeOf(each, 'seathold.event.id'));
    expect(written).toContain(attributeOf(delivery ?? { attributes: [] }, 'seathold.event.id'));
    expect(JSON.stringify(spans)).not.toContain(license.key);
    expect(Object.keys(receiver.received[0]?.headers ?? {})).not.toContain('traceparent');
    expect([...collector.services]).toEqual(['seathold']);
  });

  it('continue the trace of a trusted proxy, and of no one else', async ({ app, trace }) => {
    const untrusting = await startAppForTest();
    const spans = await trace(async () => {
      expect(await call(app, '/v1/plans', { headers: { traceparent } })).toMatchObject({ trace_id: PARENT.traceId });
      const malformed = await call(app, '/v1/plans', {
        headers: { traceparent: `00-${'0'.repeat(32)}-${PARENT.spanId}-01` },
      });
      expect(malformed.trace_id).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      const { trace_id: own } = await call(untrusting, '/v1/plans', { headers: { traceparent } });
      expect(own).toMatch(/^[0-9a-f]{32}$/);
      expect(own).not.toBe(PARENT.traceId);
    });
    expect(spans.filter((each) => each.traceId === PARENT.traceId && each.parentSpanId === PARENT.spanId)).toHaveLength(
      1,
    );
  });

  it('are off unless a receiver is configured', async ({ app }) => {
    for (const environment of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_SDK_DISABLED: 'true' }]) {
      stop = await startTracing(environment, '1.2.3', () => undefined);
      expect(tracing()).toBeUndefined();
    }
    expect(await call(app, '/v1/plans', { headers: { traceparent } })).not.toHaveProperty('trace_id');
  });

  it('appear by ID in each log line that is written meanwhile', async ({ trace }) => {
    const lines: string[] = [];
    const log = createLogger('info', { write: (line) => void lines.push(line) });
    const spans = await trace(async () => {
      const request = { requestId: 'req_1', method: 'GET', route: '/', traceparent: undefined, status: 200 };
      await tracing()?.traceRequest(request, async () => log.info('inside'));
      log.info('outside');
    });
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ msg: 'inside', trace_id: spans[0]?.traceId });
    expect(JSON.parse(lines[1] ?? '{}')).not.toHaveProperty('trace_id');
  });
});
