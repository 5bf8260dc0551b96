import { httpError } from '../http/index.ts';

/** What was opened because this is the sandbox. Throws not_found in production, where nothing of this room exists. */
export function requireSandbox<T>(opened: T | undefined): T {
  if (opened === undefined) {
    throw httpError('not_found', 'This exists in the sandbox only.', { details: { resource: 'route' } });
  }
  return opened;
}
