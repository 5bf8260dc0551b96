import { defineMessages } from '../../i18n/index.ts';

/** The messages of the banner while staff act for a customer. */
export const useActingText = defineMessages('staff-acting', {
  en: {
    label: 'Acting for a customer',
    acting_for: 'You are acting for',
    stop: 'Stop acting',
    note_viewer: '– as viewer, you can look but change nothing.',
    note_support:
      '– as support, you can change seats, licenses, members, projects, and webhooks. The customer sees your email address in the audit log.',
    note_finance:
      '– as finance, you can change subscriptions and payment methods. The customer sees your email address in the audit log.',
    note_owner: '– the customer sees what you change, with your email address, in the audit log.',
  },
  de: {
    label: 'Sie handeln für einen Kunden',
    acting_for: 'Sie handeln für',
    stop: 'Beenden',
    note_viewer: '– mit der Rolle Lesen können Sie ansehen, aber nichts ändern.',
    note_support:
      '– als Support können Sie Plätze, Lizenzen, Mitglieder, Projekte und Webhooks ändern. Der Kunde sieht Ihre E-Mail-Adresse im Protokoll.',
    note_finance:
      '– als Finanzen können Sie Abonnements und Zahlungsmittel ändern. Der Kunde sieht Ihre E-Mail-Adresse im Protokoll.',
    note_owner: '– was Sie ändern, sieht der Kunde mit Ihrer E-Mail-Adresse im Protokoll.',
  },
});
