import type { Queries } from '../../database/index.ts';
import { newId } from '../../ids/index.ts';
import { parseEmail } from '../../users/index.ts';
import { insertResetRequest } from './queries.ts';

/**
 * Notes that somebody forgot a password. Whether there is such an account is found out by a job, so that neither the answer
 * nor its time tells; what is no address at all is noted like one that nobody has.
 */
export async function askForReset(database: Queries, email: string): Promise<void> {
  await insertResetRequest(database, newId('passwordResetRequest'), parseEmail(email) ?? '');
}
