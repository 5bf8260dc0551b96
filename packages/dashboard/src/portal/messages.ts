import { defineMessages } from '../i18n/index.ts';

/** The messages of an ended portal. */
export const usePortalText = defineMessages('portal', {
  en: {
    title: 'Webhooks',
    link_over: 'This link does not work any more',
    session_over: 'Your session has ended',
    reopen: 'Go back to the page that you came from and open the webhooks again.',
  },
  de: {
    title: 'Webhooks',
    link_over: 'Dieser Link funktioniert nicht mehr',
    session_over: 'Ihre Sitzung ist beendet',
    reopen: 'Gehen Sie zu der Seite zurück, von der Sie gekommen sind, und öffnen Sie die Webhooks dort erneut.',
  },
});
