import { createHash } from 'node:crypto';

/** A strong entity tag of these bytes. */
export function entityTagOf(bytes: string | Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

/** Whether If-None-Match matches, so that the answer is 304 (RFC 9110 section 13.1.2: the weak comparison). */
export function isNoneMatch(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) {
    return false;
  }
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(entityTag);
}
