import { randomUUID } from 'node:crypto';
import type { Queries } from '../database/index.ts';
import type { Logger } from '../log/index.ts';
import { composeMail, type MailAddress } from './compose-mail.ts';
import { loadAttachment } from './load-attachment.ts';
import type { MailBrand } from './mail-html.ts';
import type { Mailer, ReadAttachment } from './mailer.ts';
import {
  type ClaimedMail,
  claimDueMails,
  deleteSentMail,
  updateMailFailed,
  updateMailGivenUp,
  updateMailReleased,
} from './queries.ts';
import { describeFailure, nameFailure, retryDelaySeconds } from './retry-rules.ts';
import type { MailTransport } from './transport.ts';

/** The dependencies of sending. */
export interface MailSending {
  database: Queries;
  mailer: Mailer;
  transport: MailTransport;
  log: Logger;
  from: MailAddress;
  brand: MailBrand;
  isSandbox: boolean;
  readAttachment: ReadAttachment;
  /** The total time limit of one mail, in milliseconds; well below the lease. */
  sendTimeoutMs?: number;
}

/**
 * Sends the one mail that is due the longest; returns whether there was one. A mail is claimed in its row and sent
 * outside any transaction: after a crash in between, it is sent again when the lease ends, with the same Message-ID.
 * When the service stops, a mail being sent gets a moment, and is then released.
 */
export async function sendDueMail(sending: MailSending, stopping: AbortSignal): Promise<boolean> {
  const [mail] = await claimDueMails(sending.database, {
    claimId: randomUUID(),
    limit: 1,
    leaseSeconds: LEASE_SECONDS,
  });
  if (mail === undefined) {
    return false;
  }
  if (stopping.aborted) {
    await updateMailReleased(sending.database, claimOf(mail));
    return true;
  }
  const cutOff = new AbortController();
  const onStopping = () => void setTimeout(() => cutOff.abort(), STOP_GRACE_MS).unref();
  stopping.addEventListener('abort', onStopping, { once: true });
  try {
    await sendMail(sending, mail, cutOff.signal);
  } finally {
    stopping.removeEventListener('abort', onStopping);
  }
  return true;
}

const STOP_GRACE_MS = 1_000;
const SEND_TIMEOUT_MS = 60_000;

/** Twice the time limit of sending, so that a slow worker's mail is not sent by another. */
const LEASE_SECONDS = 120;

async function sendMail(sending: MailSending, mail: ClaimedMail, cutOff: AbortSignal): Promise<void> {
  const { database, transport, log, sendTimeoutMs = SEND_TIMEOUT_MS } = sending;
  let handedOver: { file?: string };
  try {
    const content = sending.mailer.decrypt(mail.id, mail.content);
    const signal = AbortSignal.any([cutOff, AbortSignal.timeout(sendTimeoutMs)]);
    const attachment = await loadAttachment(sending, mail, content, cutOff, sendTimeoutMs / 2);
    const message = composeMail({ ...sending, ...mail, content, attachment, queuedAt: mail.created_at });
    handedOver = await transport.send(message, signal);
  } catch (error) {
    await (cutOff.aborted ? updateMailReleased(database, claimOf(mail)) : writeFailure(sending, mail, error));
    return;
  }
  log.info({ mail_id: mail.id, kind: mail.kind, ...handedOver }, 'a mail was sent');
  await deleteSentMail(database, claimOf(mail));
}

/** Neither the recipient nor the server's text is logged: both are stored in the row. */
async function writeFailure({ database, log }: MailSending, mail: ClaimedMail, error: unknown): Promise<void> {
  const retryInSeconds = retryDelaySeconds(mail.attempts, error);
  const lastError = describeFailure(error);
  const fields = { mail_id: mail.id, kind: mail.kind, attempts: mail.attempts + 1, reason: nameFailure(error) };
  if (retryInSeconds === undefined) {
    await updateMailGivenUp(database, { ...claimOf(mail), lastError });
    log.warn(fields, 'a mail was given up');
  } else {
    await updateMailFailed(database, { ...claimOf(mail), delaySeconds: retryInSeconds, lastError });
    log.warn({ ...fields, retry_in_seconds: retryInSeconds }, 'a mail was not sent and will be retried');
  }
}

function claimOf({ id, claim_id: claimId }: ClaimedMail) {
  return { id, claimId };
}
