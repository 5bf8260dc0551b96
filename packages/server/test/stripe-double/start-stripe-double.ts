import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { answerOfFault, answerRequest } from './answer-request.ts';
import { deleteCustomer, makeMethod } from './customers-and-methods.ts';
import { type Fault, Faults } from './faults.ts';
import { decodeForm, type Params } from './form.ts';
import { authenticateIntent, collectElsewhere, payIntent } from './intents.ts';
import { inUse, KeptAnswers, type StripeAnswer } from './kept-answers.ts';
import { StripeFault } from './stripe-fault.ts';
import { sendEvent, signEvent, type WebhookTarget } from './webhook-sender.ts';
import { type CollectedCharge, type Intent, type Method, type StripeEvent, World } from './world.ts';

/** A request, as received. */
export interface SeenRequest {
  method: string;
  path: string;
  params: Params;
  key: string | undefined;
  headers: IncomingMessage['headers'];
}

/** A stateful stand-in for the parts of Stripe that Seathold uses, on loopback. */
export interface StripeDouble {
  /** For SEATHOLD_STRIPE_API_BASE. */
  apiBase: string;
  /** The settings that make a server charge through this double. */
  settings: Readonly<Record<string, string>>;
  secretKey: string;
  webhookSecret: string;
  /** Each charge that actually collected money. */
  charges: readonly CollectedCharge[];
  intents: ReadonlyMap<string, Intent>;
  requests: readonly SeenRequest[];
  /** What happened, in order. */
  events: readonly StripeEvent[];
  faults: Faults;
  /** Moves the double's clock forward: objects are created later, and keys from a day ago are forgotten. */
  advance(seconds: number): void;
  /** A day later Stripe has forgotten the keys. */
  forgetKeys(): void;
  /** Creates a card like a customer's browser. Returns its pm_ ID. */
  makeCard(name: string, type?: Method['type']): string;
  /** Deletes a customer like Stripe's dashboard. Their cards then belong to no customer. */
  deleteCustomer(id: string): void;
  /**
   * Another program with the same Stripe account collects money from someone unknown here. Returns the payment's ID.
   */
  collectElsewhere(amount: number, currency: string, metadata?: Readonly<Record<string, string>>): string;
  /** Acts as the customer who answers a challenge. */
  playCustomer(clientSecret: string, outcome: 'succeed' | 'fail'): void;
  /** Acts as the customer who pays with another card. Throws if the payment can no longer be paid. */
  payWithCard(clientSecret: string, cardName: string): void;
  /** From now on each event is sent to the target as it happens. */
  sendWebhooksTo(target: WebhookTarget): void;
  /** Sends an event, any number of times and at any time. Returns the response status. */
  send(event: StripeEvent, target: WebhookTarget): Promise<number>;
  /** The body and headers that Stripe would send. */
  sign(event: StripeEvent, atSeconds?: number): { body: string; headers: Record<string, string> };
  close(): Promise<void>;
}

/** Starts a Stripe double without any customers. */
export async function startStripeDouble(): Promise<StripeDouble> {
  const world = new World();
  const faults = new Faults();
  const kept = new KeptAnswers(() => world.nowMs());
  const requests: SeenRequest[] = [];
  const sending = new Set<Promise<unknown>>();
  // On a busy machine, the end of a kept connection would cross a new request, which would fail.
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    void serve({ world, faults, kept, requests }, request, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const apiBase = `http://127.0.0.1:${port}`;
  return {
    apiBase,
    settings: {
      SEATHOLD_STRIPE_SECRET_KEY: SECRET_KEY,
      SEATHOLD_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      SEATHOLD_STRIPE_API_BASE: apiBase,
    },
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    charges: world.charges,
    intents: world.intents,
    requests,
    events: world.events,
    faults,
    advance: (seconds) => {
      world.aheadMs += seconds * 1000;
    },
    forgetKeys: () => kept.forgetAll(),
    makeCard: (name, type) => makeMethod(world, name, type).id,
    deleteCustomer: (id) => deleteCustomer(world, id),
    collectElsewhere: (amount, currency, metadata = {}) => collectElsewhere(world, amount, currency, { ...metadata }),
    playCustomer: (clientSecret, outcome) => authenticateIntent(world, clientSecret, outcome),
    payWithCard: (clientSecret, cardName) => payIntent(world, clientSecret, cardName),
    sendWebhooksTo: (target) => {
      world.onEvent = (event) => {
        const sent = sendEvent(event, target).catch(() => undefined);
        sending.add(sent);
        void sent.finally(() => sending.delete(sent));
      };
    },
    send: sendEvent,
    sign: (event, atSeconds) => signEvent(event, WEBHOOK_SECRET, atSeconds),
    close: async () => {
      world.onEvent = () => undefined;
      await Promise.all(sending);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const SECRET_KEY = 'sk_test_double0123456789';
const WEBHOOK_SECRET = 'whsec_double0123456789';

interface Serving {
  world: World;
  faults: Faults;
  kept: KeptAnswers;
  requests: SeenRequest[];
}

async function serve(serving: Serving, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  incoming.on('error', () => undefined);
  response.on('error', () => undefined);
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) {
    chunks.push(chunk);
  }
  const key = incoming.headers['idempotency-key'];
  const request: SeenRequest = {
    method: incoming.method ?? 'GET',
    path: (incoming.url ?? '').split('?')[0] ?? '',
    params: decodeForm(
      incoming.method === 'GET' ? ((incoming.url ?? '').split('?')[1] ?? '') : Buffer.concat(chunks).toString(),
    ),
    key: incoming.method === 'POST' && typeof key === 'string' ? key : undefined,
    headers: incoming.headers,
  };
  serving.requests.push(request);
  const fault = serving.faults.take(`${request.method} ${request.path}`);
  if (fault?.kind === 'drop') {
    incoming.socket.destroy();
    return;
  }
  const answer = answerWith(serving, request, fault);
  if (fault?.kind === 'latency') {
    await setTimeout(fault.milliseconds, undefined, { ref: false });
  }
  if (fault?.kind === 'lose_response') {
    incoming.socket.destroy();
    return;
  }
  send(serving.world, response, answer, fault?.kind === 'truncate');
}

function answerWith(serving: Serving, request: SeenRequest, fault: Fault | undefined): StripeAnswer {
  if (fault?.kind === 'gateway') {
    if (fault.commits === true) {
      answer(serving, request);
    }
    return { status: fault.status, body: fault.body };
  }
  if (fault?.kind === 'rate_limit') {
    return answerOfFault(
      new StripeFault(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many.' }),
    );
  }
  if (fault?.kind === 'in_use') {
    return answerOfFault(inUse(request.key ?? ''));
  }
  if (fault?.kind === 'server_error') {
    return failOnce(serving, request, fault);
  }
  return answer(serving, request);
}

/** Stripe's own failure is stored under the key like any other response. */
function failOnce(
  { world, kept }: Serving,
  request: SeenRequest,
  fault: Extract<Fault, { kind: 'server_error' }>,
): StripeAnswer {
  if (request.key !== undefined) {
    kept.release(request.key);
    kept.begin(request.key, contentOf(request));
  }
  if (fault.commits === true) {
    answerRequest(world, request);
  }
  const body = fault.hasBody ? JSON.stringify({ error: { type: 'api_error', message: 'Something went wrong.' } }) : '';
  const failure = { status: 500, body };
  if (request.key !== undefined) {
    kept.keep(request.key, failure);
  }
  return failure;
}

function answer({ world, kept }: Serving, request: SeenRequest): StripeAnswer {
  if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) {
    return answerOfFault(new StripeFault(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' }));
  }
  const { key } = request;
  if (key === undefined) {
    return answerRequest(world, request).answer;
  }
  try {
    const replay = kept.begin(key, contentOf(request));
    if (replay !== undefined) {
      return replay;
    }
  } catch (error) {
    if (error instanceof StripeFault) {
      return answerOfFault(error);
    }
    throw error;
  }
  const done = answerRequest(world, request);
  if (done.isKept) {
    kept.keep(key, done.answer);
  } else {
    kept.release(key);
  }
  return done.answer;
}

function contentOf({ method, path, params }: SeenRequest): string {
  return JSON.stringify([method, path, params]);
}

function send(world: World, response: ServerResponse, { status, body, isReplay }: StripeAnswer, isCut: boolean): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'request-id': world.newId('req'),
    'stripe-version': '2026-10-28.endive',
    ...(isReplay === true ? { 'idempotent-replayed': 'true' } : {}),
  });
  if (isCut) {
    response.write(body.slice(0, body.length / 2), () => response.destroy());
    return;
  }
  response.end(body);
}
