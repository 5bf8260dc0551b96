/** Records the requests of a process while tracing is on. */
export interface Tracing {
  /** Runs `work` as the span of a request. */
  traceRequest(request: TracedRequest, work: () => Promise<void>): Promise<void>;
  /** Runs `work` as the span of a statement, if it belongs to a request. Statements of background jobs have no trace. */
  traceStatement<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Records the events written by the current span, so that their deliveries join its trace. */
  noteEvents(events: ReadonlyArray<{ id: string; type: string }>): void;
  /** Runs `work` as the span of an attempt: in the trace of the request, if this process answered it recently. */
  traceDelivery<T>(
    delivery: TracedDelivery,
    work: () => Promise<T>,
    outcomeOf: (done: T) => DeliveryOutcome,
  ): Promise<T>;
  /** The trace to which the current work belongs, in hexadecimal digits. */
  readonly traceId: string | undefined;
  /** Sends waiting spans, for at most two seconds. */
  close(): Promise<void>;
}

export interface TracedRequest {
  requestId: string;
  method: string;
  route: string;
  /** The header `traceparent` of a trusted caller. */
  traceparent: string | undefined;
  /** Read when the response is sent. */
  readonly status: number;
}

export interface TracedDelivery {
  eventId: string;
  eventType: string;
  deliveryId: string;
  /** 1 for the first attempt. */
  attempt: number;
}

export interface DeliveryOutcome {
  statusCode: number | null;
  error: string | null;
}

/** The receiver and the sender of traces. */
export interface TraceSettings {
  url: string;
  serviceName: string;
  version: string;
  /** Which part of the requests without a sampled parent is traced, from 0 to 1. */
  ratio: number;
}

let running: Tracing | undefined;

/** Undefined while tracing is off, which costs callers one comparison. */
export function tracing(): Tracing | undefined {
  return running;
}

/** Turns tracing on for the whole process, or off. */
export function useTracing(next: Tracing | undefined): void {
  running = next;
}
