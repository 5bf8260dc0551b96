import type { IncomingMessage } from 'node:http';
import { httpError } from './errors.ts';

/** The maximum size of our forms; the longest has three short fields. */
const MAX_FORM_BYTES = 16_384;

/**
 * Reads a form from a request (application/x-www-form-urlencoded). Throws 415 for anything else, and 413 if it is too
 * long.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';');
  if (mediaType.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw httpError(
      'unsupported_media_type',
      'Send the form as Content-Type: application/x-www-form-urlencoded.',
      CLOSING,
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) {
    throw tooLarge();
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The request is not destroyed if it is left early, because its connection is still needed for the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MAX_FORM_BYTES) {
      throw tooLarge();
    }
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

/** The rest of the body is not read, so the connection cannot be reused. */
const CLOSING = { headers: { connection: 'close' } };

function tooLarge() {
  return httpError('payload_too_large', 'The form is larger than 16 KiB.', {
    ...CLOSING,
    details: { max_bytes: MAX_FORM_BYTES },
  });
}
