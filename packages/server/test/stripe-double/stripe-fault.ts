/** An error in Stripe's format: thrown where it is decided, sent by the server. */
export class StripeFault extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the endpoint had started, so that the response is stored under the request's key. */
  readonly isKept: boolean;

  constructor(status: number, body: Readonly<Record<string, unknown>>, isKept = true) {
    super(String(body.message ?? body.code ?? status));
    this.status = status;
    this.body = body;
    this.isKept = isKept;
  }
}

export function missing(param: string, kind: string, id: string): StripeFault {
  return new StripeFault(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param: param === 'id' ? kind : param,
    message: `No such ${kind}: '${id}'`,
  });
}

export function invalid(param: string, message: string, code?: string): StripeFault {
  const codes = code === undefined ? {} : { code };
  return new StripeFault(400, { type: 'invalid_request_error', param, message, ...codes }, false);
}

export function required(param: string): StripeFault {
  return invalid(param, `Missing required param: ${param}.`, 'parameter_missing');
}

export function unexpectedState(message: string, intent: unknown): StripeFault {
  return new StripeFault(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: intent,
  });
}

/** A declined card, with what else Stripe sends along. */
export function cardError(decline: CardDecline, also: Readonly<Record<string, unknown>> = {}): StripeFault {
  return new StripeFault(402, { ...declineBody(decline), ...also });
}

export interface CardDecline {
  code: string;
  declineCode?: string;
}

export function declineBody({ code, declineCode }: CardDecline): Record<string, unknown> {
  return {
    type: 'card_error',
    code,
    ...(declineCode === undefined ? {} : { decline_code: declineCode }),
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
    message: 'Your card was declined.',
  };
}
