import type { Config } from '../config/index.ts';
import type { Queries } from '../database/index.ts';
import { countMails, findGreetingFault, findOldestWaiting } from '../mail/index.ts';
import type { Finding } from './finding.ts';

/**
 * Waiting mails, and mails that were given up. It is a fault if a mail has waited so long that sending does not seem to
 * work.
 */
export async function examineMail(database: Queries, environment: string): Promise<Finding> {
  const { waiting, given_up: givenUp } = await countMails(database);
  const { seconds: oldestSeconds } = await findOldestWaiting(database);
  const oldest = oldestSeconds === null ? '' : `, the oldest for ${describeDuration(oldestSeconds)}`;
  return {
    check: `${environment}: mail`,
    ok: (oldestSeconds ?? 0) <= LONGEST_USUAL_WAIT_SECONDS,
    detail: `${waiting} waiting${oldest}; ${givenUp} failed in the last 30 days`,
  };
}

/** Whether the configured SMTP server answers. Nothing is sent to it. */
export async function examineSmtpServer(server: NonNullable<Config['smtpServer']>, limitMs?: number): Promise<Finding> {
  const fault = await findGreetingFault(server, limitMs);
  const address = `${server.host}:${server.port}`;
  return {
    check: 'SMTP server',
    ok: fault === undefined,
    detail: fault === undefined ? `${address} responds` : `${address} does not respond: ${fault}`,
  };
}

/** Four attempts have failed by then, so it was not just a temporary failure. */
const LONGEST_USUAL_WAIT_SECONDS = 3_600;

function describeDuration(seconds: number): string {
  const [unit, length] = seconds < 120 ? ['s', 1] : seconds < 7_200 ? ['min', 60] : ['h', 3_600];
  return `${Math.floor(seconds / length)} ${unit}`;
}
