import { defineMessages } from '../i18n/index.ts';

/** What is said about an organization's credit. */
export const useCreditBalanceText = defineMessages('credit-balance', {
  en: {
    title: 'Credit: {{amount}}',
    text: 'Your next invoices use it before your card is charged.',
  },
  de: {
    title: 'Guthaben: {{amount}}',
    text: 'Ihre nächsten Rechnungen verwenden es, bevor Ihre Karte belastet wird.',
  },
});
