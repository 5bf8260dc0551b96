import type { Exchange } from '../exchange.ts';
import { isNoneMatch } from './entity-tags.ts';
import type { StoredDocument } from './stored-document.ts';

/** Answers with the document in the client's preferred coding, or 304 if the client already has it. */
export async function sendDocument(exchange: Exchange, document: StoredDocument): Promise<void> {
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = exchange.request.headers;
  const { contentType, maxAgeSeconds, isImmutable, headers } = document.description;
  const variant = await document.in(typeof acceptEncoding === 'string' ? acceptEncoding : undefined);
  const described = {
    ...headers,
    'cache-control': `public, max-age=${maxAgeSeconds}${isImmutable === true ? ', immutable' : ''}`,
    etag: variant.entityTag,
    vary: 'Accept-Encoding',
  };
  if (isNoneMatch(ifNoneMatch, variant.entityTag)) {
    exchange.send(304, undefined, '', described);
    return;
  }
  const coded = variant.coding === 'identity' ? described : { ...described, 'content-encoding': variant.coding };
  exchange.send(200, contentType, variant.bytes, coded);
}
