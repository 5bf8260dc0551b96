/**
 * The part of an address that a name becomes: lower-case letters and digits of ASCII, joined by hyphens. A name without
 * any (of another script, say) becomes the fallback.
 */
export function slugOf(name: string, fallback = 'organization'): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_CHARACTERS)
    .replaceAll(/^-+|-+$/g, '');
  return words === '' ? fallback : words;
}

const MAX_SLUG_CHARACTERS = 48;
