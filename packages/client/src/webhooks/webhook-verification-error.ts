/** Why a request was not accepted as a webhook of the service. */
export type WebhookVerificationReason = keyof typeof MESSAGES;

/** The request cannot be trusted: answer it with 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string = MESSAGES[reason]) {
    super(message);
    this.reason = reason;
  }
}

const MESSAGES = {
  missing_header:
    'The header X-Service-Signature is missing. The request is not from the service, or a proxy removed the header.',
  malformed_header: 'The header X-Service-Signature is not of the form t=<Unix seconds>,v1=<hexadecimal>.',
  timestamp_out_of_tolerance:
    'The request was signed too long ago, or in the future. It is a replay, or a clock is wrong.',
  no_matching_signature:
    'No signature matches the body and the secret. The secret is wrong, or the body is not the raw body.',
  invalid_body: 'The body is signed but not an event.',
} as const;
