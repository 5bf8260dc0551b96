import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { DeliveryOutcome, TracedDelivery, TracedRequest, TraceSettings, Tracing } from './tracing.ts';

/**
 * Traces by OpenTelemetry, sent by OTLP over HTTP. Spans are started explicitly for requests, statements and
 * deliveries: automatic instrumentation patches modules, which slows down each of their calls.
 */
export class OpenTelemetry implements Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #current = new AsyncLocalStorage<Span>();
  /** The spans that wrote events which may not be delivered yet, oldest first. */
  readonly #writers = new Map<string, SpanContext>();

  constructor({ url, serviceName, version, ratio }: TraceSettings, report: (message: string) => void) {
    const tell = (message: string) => report(message);
    const quiet = () => undefined;
    diag.setLogger({ error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN);
    const own = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version });
    this.#provider = new TracerProvider({
      resource: detectResources({ detectors: [envDetector] }).merge(own),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
    });
    this.#tracer = this.#provider.getTracer('seathold', version);
  }

  get traceId(): string | undefined {
    return this.#current.getStore()?.spanContext().traceId;
  }

  traceRequest(request: TracedRequest, work: () => Promise<void>): Promise<void> {
    const { method, route, requestId, traceparent } = request;
    const attributes = { 'http.request.method': method, 'http.route': route, 'seathold.request_id': requestId };
    const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent);
    return this.#run(`${method} ${route}`, SpanKind.SERVER, attributes, parent, async (span) => {
      await work();
      span.setAttribute('http.response.status_code', request.status);
      if (request.status >= 500) {
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
    });
  }

  traceStatement<T>(name: string, work: () => Promise<T>): Promise<T> {
    const parent = this.#current.getStore()?.spanContext();
    if (parent === undefined) {
      return work();
    }
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
    return this.#run(name, SpanKind.CLIENT, attributes, parent, work);
  }

  noteEvents(events: ReadonlyArray<{ id: string; type: string }>): void {
    const span = this.#current.getStore();
    for (const { id, type } of span === undefined ? [] : events) {
      span?.addEvent('seathold.event', { 'seathold.event.id': id, 'seathold.event.type': type });
      this.#remember(id, span?.spanContext());
    }
  }

  traceDelivery<T>(
    delivery: TracedDelivery,
    work: () => Promise<T>,
    outcomeOf: (done: T) => DeliveryOutcome,
  ): Promise<T> {
    const attributes = {
      'seathold.event.id': delivery.eventId,
      'seathold.event.type': delivery.eventType,
      'seathold.delivery.id': delivery.deliveryId,
      'seathold.delivery.attempt': delivery.attempt,
    };
    const parent = this.#writers.get(delivery.eventId);
    return this.#run(`deliver ${delivery.eventType}`, SpanKind.PRODUCER, attributes, parent, async (span) => {
      const done = await work();
      const { statusCode, error } = outcomeOf(done);
      if (statusCode !== null) {
        span.setAttribute('http.response.status_code', statusCode);
      }
      if (error !== null) {
        span.setAttribute('error.type', error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      return done;
    });
  }

  async close(): Promise<void> {
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, CLOSE_MS);
    // An unavailable receiver must not delay the exit: the last spans are then lost.
    await Promise.race([this.#provider.shutdown().catch(() => undefined), timeout.promise]);
    clearTimeout(timer);
    diag.disable();
  }

  async #run<T>(
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    parent: SpanContext | undefined,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    const span = this.#tracer.startSpan(name, { kind, attributes }, contextOf(parent));
    try {
      return await this.#current.run(span, () => work(span));
    } catch (error) {
      // Only the class, because a message of PostgreSQL may quote a customer's data.
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  #remember(eventId: string, writer: SpanContext | undefined): void {
    if (writer === undefined) {
      return;
    }
    this.#writers.set(eventId, writer);
    if (this.#writers.size > MOST_WRITERS) {
      const [oldest = ''] = this.#writers.keys();
      this.#writers.delete(oldest);
    }
  }
}

const CLOSE_MS = 2_000;
/** Covers the last ten seconds at a thousand events per second. A first attempt begins within one second. */
const MOST_WRITERS = 10_000;

function contextOf(parent: SpanContext | undefined): Context {
  return parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}

/** W3C Trace Context, version 00: `00-<trace id>-<span id>-<flags>`. Undefined for anything else. */
function parseTraceparent(header: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header) ?? [];
  const parsed = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(parsed) ? parsed : undefined;
}
