export { type Mail, type MailContent, Mailer } from './mailer.ts';
