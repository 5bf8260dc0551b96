import { defineMessages } from '../i18n/index.ts';

/** The messages of the screens of events. */
export const useEventsText = defineMessages('events', {
  en: {
    title: 'Events',
    about:
      'Everything that happened in this organization, as webhooks and GET /v1/events show it. Kept for a limited time.',
    type: 'Type',
    id: 'ID',
    when: 'When',
    all: 'All types',
    none_title: 'No events of this type',
    none_text: 'Events of other types are not shown.',
    empty_title: 'No events',
    empty_text: 'Events appear here as soon as something changes, for example when a program takes a seat.',
    payload: 'Payload',
    event: 'Event',
    test: 'Send test event',
    test_text:
      'Sends an example of the type to one of your endpoints, signed like any other event. Nothing changes in your organization.',
    endpoint: 'Endpoint',
    to_endpoints: 'Show endpoints',
    no_endpoints: 'There is no endpoint that could receive it yet.',
    add_endpoint: 'Add an endpoint',
    tested: 'The test event is on its way.',
    close: 'Close',
  },
  de: {
    title: 'Ereignisse',
    about:
      'Alles, was in dieser Organisation passiert ist, wie Webhooks und GET /v1/events es zeigen. Wird begrenzte Zeit aufbewahrt.',
    type: 'Typ',
    id: 'ID',
    when: 'Wann',
    all: 'Alle Typen',
    none_title: 'Keine Ereignisse dieser Art',
    none_text: 'Ereignisse anderer Art werden nicht angezeigt.',
    empty_title: 'Keine Ereignisse',
    empty_text:
      'Ereignisse erscheinen hier, sobald sich etwas ändert, zum Beispiel wenn ein Programm einen Platz nimmt.',
    payload: 'Inhalt',
    event: 'Ereignis',
    test: 'Testereignis senden',
    test_text:
      'Sendet ein Beispiel des Typs an einen Ihrer Endpunkte, signiert wie jedes andere. In Ihrer Organisation ändert sich nichts.',
    endpoint: 'Endpunkt',
    to_endpoints: 'Endpunkte zeigen',
    no_endpoints: 'Noch gibt es keinen Endpunkt, der es empfangen könnte.',
    add_endpoint: 'Endpunkt hinzufügen',
    tested: 'Das Testereignis ist unterwegs.',
    close: 'Schließen',
  },
});
