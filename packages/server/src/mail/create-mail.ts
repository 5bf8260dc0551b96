import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import type { Queries } from '../database/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Logger } from '../log/index.ts';
import type { MasterKey } from '../security/index.ts';
import { createFileTransport } from './file-transport.ts';
import { mailJobs } from './jobs.ts';
import { Mailer, type ReadAttachment } from './mailer.ts';
import { countMails, type MailCounts } from './queries.ts';
import { createSmtpTransport } from './smtp-transport.ts';

/** The dependencies of one environment's mail. */
export interface MailerTools {
  config: Pick<Config, 'smtpServer' | 'mailFrom' | 'brand' | 'dataDir'>;
  database: Queries;
  masterKey: MasterKey;
  log: Logger;
  isSandbox: boolean;
  readAttachment: ReadAttachment;
}

/** The sending of one environment's mails: to the configured SMTP server or, without one, to files. */
export function createMail({ config, masterKey, ...tools }: MailerTools): {
  jobs: Job[];
  count(): Promise<MailCounts>;
  close(): void;
} {
  const { smtpServer, mailFrom, brand, dataDir } = config;
  const transport =
    smtpServer === undefined ? createFileTransport(join(dataDir, 'mail')) : createSmtpTransport(smtpServer);
  return {
    jobs: mailJobs({ ...tools, mailer: new Mailer(masterKey), transport, from: mailFrom, brand }),
    count: () => countMails(tools.database),
    close: () => transport.close(),
  };
}
