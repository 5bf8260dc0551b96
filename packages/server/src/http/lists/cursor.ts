import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalidRequest } from '../errors.ts';
import type { PageRequest } from './list-definition.ts';

/** What a cursor is bound to: it is valid for the same list of the same owner, with the same sort and filters. */
export interface CursorBinding {
  /** The organization, or the user. */
  owner: string;
  path: string;
  request: PageRequest;
}

/** Opaque to clients and authenticated, so that a client can neither create nor change one. */
export function signCursor(key: Buffer, binding: CursorBinding, position: { value: string; id: string }): string {
  const content = JSON.stringify([position.value, position.id]);
  return Buffer.concat([authenticate(key, binding, content), Buffer.from(content)]).toString('base64url');
}

/** Verifies a cursor; a forged or foreign one, or one for another sort or filter, is `invalid_request`. */
export function verifyCursor(key: Buffer, binding: CursorBinding, cursor: string): { value: string; id: string } {
  const bytes = cursor.length <= MAX_CURSOR ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
  const tag = bytes.subarray(0, TAG_BYTES);
  const content = bytes.subarray(TAG_BYTES).toString();
  const isOurs =
    tag.length === TAG_BYTES &&
    bytes.toString('base64url') === cursor &&
    timingSafeEqual(tag, authenticate(key, binding, content));
  if (!isOurs) {
    throw invalidRequest(
      'cursor',
      'format',
      'The cursor is invalid. Use next_cursor of the previous page, with the same sort and filters.',
    );
  }
  const [value, id]: [string, string] = JSON.parse(content);
  return { value, id };
}

const TAG_BYTES = 16;
const MAX_CURSOR = 2048;

function authenticate(key: Buffer, binding: CursorBinding, content: string): Buffer {
  const { sort, descending, filters } = binding.request;
  const bound = JSON.stringify([
    binding.owner,
    binding.path,
    sort,
    descending,
    Object.entries(filters).sort(),
    content,
  ]);
  return createHmac('sha256', key).update(bound).digest().subarray(0, TAG_BYTES);
}
