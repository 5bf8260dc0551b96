export { createMail } from './create-mail.ts';
export { MAIL_ERASURES } from './erasure-queries.ts';
export { findGreetingFault } from './greet-smtp-server.ts';
export {
  type Attachment,
  type AttachmentReference,
  MAIL_CIPHERTEXTS,
  type Mail,
  type MailContent,
  Mailer,
  type MailRow,
} from './mailer.ts';
export { namedInMail } from './named-in-mail.ts';
export { countMails, findOldestWaiting } from './queries.ts';
