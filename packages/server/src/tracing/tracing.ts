/** What a process records of its requests while traces are on. */
export interface Tracing {
  /** Runs `work` as the span of a request. */
  traceRequest(request: TracedRequest, work: () => Promise<void>): Promise<void>;
  /** Runs `work` as the span of a statement, if it belongs to a request. Statements of background jobs have no trace. */
  traceStatement<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Notes on the current span that it wrote events, so that their deliveries join its trace. */
  noteEvents(events: ReadonlyArray<{ id: string; type: string }>): void;
  /** Runs `work` as the span of an attempt: in the trace of the request, if this process answered it not long ago. */
  traceDelivery<T>(
    delivery: TracedDelivery,
    work: () => Promise<T>,
    outcomeOf: (done: T) => DeliveryOutcome,
  ): Promise<T>;
  /** The trace to which the current work belongs, in hexadecimal digits. */
  readonly traceId: string | undefined;
  /** Sends what waits, for at most two seconds. */
  close(): Promise<void>;
}

export interface TracedRequest {
  requestId: string;
  method: string;
  route: string;
  /** The header `traceparent` of a caller that is trusted. */
  traceparent: string | undefined;
  /** Read when the answer is sent. */
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

/** Where traces go and who sends them. */
export interface TraceSettings {
  url: string;
  serviceName: string;
  version: string;
  /** Which part of the requests without a sampled parent is traced, from 0 to 1. */
  ratio: number;
}

let running: Tracing | undefined;

/** Undefined while traces are off, which costs the callers one comparison. */
export function tracing(): Tracing | undefined {
  return running;
}

/** Puts traces into effect for the whole process, or ends them. */
export function useTracing(next: Tracing | undefined): void {
  running = next;
}
