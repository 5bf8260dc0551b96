import type { Queries } from '../../database/index.ts';
import { newId } from '../../ids/index.ts';
import { parseEmail } from '../../users/index.ts';
import { insertResetRequest } from './reset-request-queries.ts';

/**
 * Records a request to reset a password. A job checks whether there is such an account, so that neither the response
 * nor its timing reveals it; an invalid address is recorded like an unknown one.
 */
export async function requestPasswordReset(database: Queries, email: string): Promise<void> {
  await insertResetRequest(database, { id: newId('passwordResetRequest'), email: parseEmail(email) ?? '' });
}
