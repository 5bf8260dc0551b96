export { type Mail, type MailContent, Mailer } from './mailer.ts';
export { openMail } from './open-mail.ts';
