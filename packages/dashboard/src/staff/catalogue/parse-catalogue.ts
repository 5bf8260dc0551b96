import type { Catalogue } from '@seathold/client';

/** Parses an edited catalogue: the service checks its content; here it only has to be an object with plans. */
export function parseCatalogue(
  text: string,
): { kind: 'catalogue'; catalogue: Catalogue } | { kind: 'wrong'; message: string } {
  try {
    const value: unknown = JSON.parse(text);
    return isCatalogue(value)
      ? { kind: 'catalogue', catalogue: value }
      : { kind: 'wrong', message: '{"plans": [ … ]}' };
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : '' };
  }
}

function isCatalogue(value: unknown): value is Catalogue {
  return typeof value === 'object' && value !== null && 'plans' in value && Array.isArray(value.plans);
}
