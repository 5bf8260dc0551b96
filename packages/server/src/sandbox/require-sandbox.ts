import { httpError } from '../http/index.ts';

/** Throws not_found in production, where nothing of this room exists. */
export function requireSandbox(isSandbox: boolean): void {
  if (!isSandbox) {
    throw httpError('not_found', 'This exists in the sandbox only.', { details: { resource: 'route' } });
  }
}
