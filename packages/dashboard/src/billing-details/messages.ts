import { defineMessages } from '../i18n/index.ts';

/** The messages of the screen of billing details. */
export const useBillingDetailsText = defineMessages('billing-details', {
  en: {
    title: 'Billing details',
    about: 'Who your invoices are addressed to. Changes apply to future invoices; issued invoices stay as they are.',
    legal_name: 'Legal name',
    legal_name_hint: 'The company or person that pays.',
    address: 'Address',
    address_hint: 'As written on an envelope.',
    tax_id: 'Tax ID',
    tax_id_hint: 'For example a VAT identification number. Printed on invoices.',
    email: 'Email address for invoices',
    email_hint: 'Invoices and reminders are sent here. If empty, everyone with the role billing or admin gets them.',
    save: 'Save',
    saved: 'The billing details were saved.',
    only_admins: 'Only administrators can change the billing details.',
  },
  de: {
    title: 'Rechnungsdaten',
    about:
      'An wen Ihre Rechnungen gerichtet sind. Eine Änderung gilt ab der nächsten Rechnung; ausgestellte Rechnungen bleiben, wie sie sind.',
    legal_name: 'Rechtlicher Name',
    legal_name_hint: 'Die Firma oder Person, die bezahlt.',
    address: 'Anschrift',
    address_hint: 'Wie auf einem Briefumschlag.',
    tax_id: 'Steuernummer',
    tax_id_hint: 'Zum Beispiel eine Umsatzsteuer-Identifikationsnummer. Sie steht auf den Rechnungen.',
    email: 'E-Mail-Adresse für Rechnungen',
    email_hint:
      'Hierhin gehen Rechnungen und Erinnerungen. Ist das Feld leer, bekommen sie alle mit der Rolle „billing“ oder „admin“.',
    save: 'Speichern',
    saved: 'Die Rechnungsdaten sind gespeichert.',
    only_admins: 'Nur die Verwaltung kann die Rechnungsdaten ändern.',
  },
});
