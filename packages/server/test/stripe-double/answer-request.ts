import {
  attachMethod,
  createCustomer,
  detachMethod,
  retrieveCustomer,
  retrieveMethod,
  updateCustomer,
} from './customers-and-methods.ts';
import type { Params } from './form.ts';
import { cancelIntent, confirmIntent, createIntent, listIntents, retrieveIntent } from './intents.ts';
import type { StripeAnswer } from './kept-answers.ts';
import { StripeFault } from './stripe-fault.ts';
import type { World } from './world.ts';

/** Executes a request. Returns what Stripe would, and whether that is stored under the request's key. */
export function answerRequest(
  world: World,
  { method, path, params }: { method: string; path: string; params: Params },
): { answer: StripeAnswer; isKept: boolean } {
  try {
    for (const [known, pattern, handle] of ROUTES) {
      const match = known === method ? pattern.exec(path) : null;
      if (match !== null) {
        const object = handle(world, params, decodeURIComponent(match[1] ?? ''));
        return { answer: { status: 200, body: JSON.stringify(object) }, isKept: true };
      }
    }
    throw new StripeFault(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}).`,
    });
  } catch (error) {
    if (error instanceof StripeFault) {
      return { answer: answerOfFault(error), isKept: error.isKept };
    }
    throw error;
  }
}

export function answerOfFault({ status, body }: StripeFault): StripeAnswer {
  return { status, body: JSON.stringify({ error: body }) };
}

type Handler = (world: World, params: Params, id: string) => object;

const ROUTES: ReadonlyArray<[string, RegExp, Handler]> = [
  ['POST', /^\/v1\/customers$/, (world, params) => createCustomer(world, params)],
  ['GET', /^\/v1\/customers\/([^/]+)$/, (world, _params, id) => retrieveCustomer(world, id)],
  ['POST', /^\/v1\/customers\/([^/]+)$/, (world, params, id) => updateCustomer(world, id, params)],
  ['GET', /^\/v1\/payment_methods\/([^/]+)$/, (world, _params, id) => retrieveMethod(world, id)],
  ['POST', /^\/v1\/payment_methods\/([^/]+)\/attach$/, (world, params, id) => attachMethod(world, id, params)],
  ['POST', /^\/v1\/payment_methods\/([^/]+)\/detach$/, (world, _params, id) => detachMethod(world, id)],
  ['POST', /^\/v1\/payment_intents$/, (world, params) => createIntent(world, params)],
  ['GET', /^\/v1\/payment_intents$/, (world, params) => listIntents(world, params)],
  ['GET', /^\/v1\/payment_intents\/([^/]+)$/, (world, _params, id) => retrieveIntent(world, id)],
  ['POST', /^\/v1\/payment_intents\/([^/]+)\/confirm$/, (world, params, id) => confirmIntent(world, id, params)],
  ['POST', /^\/v1\/payment_intents\/([^/]+)\/cancel$/, (world, _params, id) => cancelIntent(world, id)],
];
