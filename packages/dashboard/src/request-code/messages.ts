import { defineMessages } from '../i18n/index.ts';

/** The messages of the panel that shows requests as code. */
export const useRequestCodeText = defineMessages('request-code', {
  en: {
    show: 'View curl and TypeScript',
    title: 'The same from a program',
    call: 'What was done',
    language: 'Language',
    just_now: 'Just now: {{call}}',
    this_screen: 'This screen: {{call}}',
    token: 'Set SEATHOLD_TOKEN to one of your API keys.',
    create_key: 'Create one',
    session_token: 'Set SEATHOLD_TOKEN to the access token of a login. API keys cannot do this.',
    staff_token: 'Set SEATHOLD_TOKEN to an operator token.',
    nothing: 'This screen has sent no request yet.',
    close: 'Close',
  },
  de: {
    show: 'Als curl und TypeScript ansehen',
    title: 'Dasselbe aus einem Programm',
    call: 'Was getan wurde',
    language: 'Sprache',
    just_now: 'Gerade eben: {{call}}',
    this_screen: 'Diese Ansicht: {{call}}',
    token: 'Setzen Sie SEATHOLD_TOKEN auf einen Ihrer API-Schlüssel.',
    create_key: 'Einen anlegen',
    session_token: 'Setzen Sie SEATHOLD_TOKEN auf das Zugangstoken einer Anmeldung. API-Schlüssel können das nicht.',
    staff_token: 'Setzen Sie SEATHOLD_TOKEN auf ein Token des Betreibers.',
    nothing: 'Diese Ansicht hat noch keine Anfrage gesendet.',
    close: 'Schließen',
  },
});
