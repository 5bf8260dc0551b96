import { readHeader, type WebhookHeaders } from './read-header.ts';

/** The delivery data in the headers of a webhook. */
export interface WebhookDeliveryHeaders {
  /** The same in every attempt; undefined if the header is missing. */
  id: string | undefined;
  /**
   * The number of the delivery at its endpoint, the same in every attempt: 1, 2, 3, … without gaps. Undefined for deliveries
   * from before there were numbers.
   */
  sequence: number | undefined;
}

/**
 * Reads the ID and the number of a delivery from its headers. Call it after `verifyWebhook`: the signature covers the
 * body, and a signed body came with these headers over TLS.
 */
export function readDelivery(headers: WebhookHeaders): WebhookDeliveryHeaders {
  const sequence = readHeader(headers, 'X-Service-Sequence');
  return {
    id: readHeader(headers, 'X-Service-Delivery'),
    sequence: sequence !== undefined && /^[1-9]\d{0,15}$/.test(sequence) ? Number(sequence) : undefined,
  };
}
